import type { Format, InputFile } from './formats/format.ts'

/** Score below which a format is not believed to own a file whose extension is another's. */
const MINIMUM_SCORE = 10

/** The format whose probe is surest of a file; the extension only breaks ties. */
export function bestFormat(
  file: InputFile,
  formats: readonly Format[],
): { readonly format: Format; readonly score: number } | undefined {
  let best: { format: Format; score: number } | undefined
  let bestScore = 0
  for (const format of formats) {
    const hint = format.extensions.includes(file.extension) ? 5 : 0
    const { score } = format.probe(file)
    if (score >= MINIMUM_SCORE && score + hint > bestScore) {
      best = { format, score }
      bestScore = score + hint
    }
  }
  return best
}
