import type { Format, InputFile, Probe } from './formats/format.ts'

/** Score below which a format is not believed to own a file whose extension is another's. */
const MINIMUM_SCORE = 10
/** What the extension counts beside a score, and the highest score there is. */
const HINT = 5
const HIGHEST_SCORE = 100

/** The format whose probe is surest of a file; the extension only breaks ties. */
export function bestFormat(
  file: InputFile,
  formats: readonly Format[],
): (Probe & { readonly format: Format }) | undefined {
  const named = formats.filter(({ extensions }) => extensions.includes(file.extension))
  if (named.length === 1) {
    const [format] = named
    const probe = format.probe(file)
    // no other can be surer: they need not be asked
    if (probe.score + HINT >= HIGHEST_SCORE) return { ...probe, format }
  }
  let best: (Probe & { readonly format: Format }) | undefined
  let bestScore = 0
  for (const format of formats) {
    const hint = format.extensions.includes(file.extension) ? HINT : 0
    const probe = format.probe(file)
    if (probe.score >= MINIMUM_SCORE && probe.score + hint > bestScore) {
      best = { ...probe, format }
      bestScore = probe.score + hint
    }
  }
  return best
}
