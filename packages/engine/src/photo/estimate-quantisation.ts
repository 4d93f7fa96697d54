import { STANDARD_QUANTISATION } from '../codecs/jpeg/standard-tables.ts'

/** The table of a quality from 1 to 100 as most encoders scale the standard's: 0 for luminance, 1 for chrominance; in zigzag order. */
export function scaledTable(which: 0 | 1, quality: number): Uint16Array {
  const scale = quality < 50 ? 5_000 / quality : 200 - 2 * quality
  return STANDARD_QUANTISATION[which].map((value) =>
    Math.max(1, Math.min(255, Math.floor((value * scale + 50) / 100))),
  )
}

const BEST_QUALITY = 100
const LEAST_QUALITY = 10
/** Levels that DC reaches in most photos: nearly white or nearly black somewhere. */
const REACHED = 120
const SAMPLES_ACROSS = 8

/** The quality whose luminance table divides DC by nearest to `step`. */
export function qualityOfStep(step: number): number {
  let best = BEST_QUALITY
  let least = Number.POSITIVE_INFINITY
  for (let quality = LEAST_QUALITY; quality <= BEST_QUALITY; quality++) {
    const off = Math.abs(Math.log(scaledTable(0, quality)[0] / step))
    if (off < least) {
      least = off
      best = quality
    }
  }
  return best
}

/** The step of luminance DC by how far from grey its largest values are: quantised values, without those few that damage may have made. */
export function stepByRange(values: Int32Array): number {
  if (values.length === 0) return 1
  const sorted = Int32Array.from(values, Math.abs).sort()
  const reach = Math.max(1, sorted[Math.floor((sorted.length - 1) * 0.999)])
  return Math.max(1, (REACHED * SAMPLES_ACROSS) / reach)
}
