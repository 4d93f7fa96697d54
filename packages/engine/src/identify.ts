import type { Format, InputFile, Probe } from './formats/format.ts'

/** Score below which a format is not believed to own a file whose extension is another's. */
const MINIMUM_SCORE = 10
/** What the extension counts beside a score, and the highest score there is. */
const HINT = 5
const HIGHEST_SCORE = 100

type Owner = Probe & { readonly format: Format }

/** The format whose probe is surest of a file; the extension only breaks ties. */
export function bestFormat(file: InputFile, formats: readonly Format[]): Owner | undefined {
  const probes = new Map<Format, Probe>()
  const surest = (asked: readonly Format[]): Owner | undefined => {
    let best: Owner | undefined
    let bestScore = 0
    for (const format of asked) {
      const probe = probes.get(format) ?? format.probe(file)
      probes.set(format, probe)
      const hint = isNamed(file, format) ? HINT : 0
      if (probe.score >= MINIMUM_SCORE && probe.score + hint > bestScore) {
        best = { ...probe, format }
        bestScore = probe.score + hint
      }
    }
    return best
  }
  const named = surest(formats.filter((format) => isNamed(file, format)))
  // where no other can be surer they need not be asked
  return named && named.score + HINT >= HIGHEST_SCORE ? named : surest(formats)
}

function isNamed({ extension }: InputFile, { extensions }: Format): boolean {
  return extensions.includes(extension)
}
