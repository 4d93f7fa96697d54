import type { Format, InputFile } from './formats/format.ts'

/** Score below which a format is not believed to own a file whose extension is another's. */
const MINIMUM_SCORE = 10
/** What the extension counts beside a score, and the highest score there is. */
const HINT = 5
const HIGHEST_SCORE = 100

/** The format whose probe is surest of a file; the extension only breaks ties. */
export function bestFormat(
  file: InputFile,
  formats: readonly Format[],
): { readonly format: Format; readonly score: number } | undefined {
  const named = formats.filter(({ extensions }) => extensions.includes(file.extension))
  if (named.length === 1) {
    const [format] = named
    const { score } = format.probe(file)
    // no other can be surer: they need not be asked
    if (score + HINT >= HIGHEST_SCORE) return { format, score }
  }
  let best: { format: Format; score: number } | undefined
  let bestScore = 0
  for (const format of formats) {
    const hint = format.extensions.includes(file.extension) ? HINT : 0
    const { score } = format.probe(file)
    if (score >= MINIMUM_SCORE && score + hint > bestScore) {
      best = { format, score }
      bestScore = score + hint
    }
  }
  return best
}
