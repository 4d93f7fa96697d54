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

/** The quality whose table for luminance (0) or chrominance (1) divides DC by nearest to `step`. */
export function qualityOfStep(which: 0 | 1, step: number): number {
  let best = BEST_QUALITY
  let least = Number.POSITIVE_INFINITY
  for (let quality = LEAST_QUALITY; quality <= BEST_QUALITY; quality++) {
    const off = Math.abs(Math.log(scaledTable(which, quality)[0] / step))
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

/** Values needed, and how much they must vary, in quantised units, to tell a step. */
const LEAST_VALUES = 64
const LEAST_DEVIATION = 1
/** How well a preview must follow them. */
const LEAST_CORRELATION = 0.7
const MOST_STEP = 255

/** The step of DC with which quantised means, one for each MCU from the first, become the levels of a preview; undefined where they do not follow it. */
export function stepByPreview(means: Float32Array, levels: Float32Array): number | undefined {
  const count = Math.min(means.length, levels.length)
  if (count < LEAST_VALUES) return undefined
  let x = 0
  let y = 0
  for (let i = 0; i < count; i++) {
    x += means[i] / count
    y += levels[i] / count
  }
  let xx = 0
  let yy = 0
  let xy = 0
  for (let i = 0; i < count; i++) {
    xx += (means[i] - x) ** 2 / count
    yy += (levels[i] - y) ** 2 / count
    xy += ((means[i] - x) * (levels[i] - y)) / count
  }
  if (Math.sqrt(xx) < LEAST_DEVIATION || xy < LEAST_CORRELATION * Math.sqrt(xx * yy)) return undefined
  // both vary by errors of their own: the ratio of their spreads is between both regressions
  const step = SAMPLES_ACROSS * Math.sqrt(yy / xx)
  return Math.max(1, Math.min(MOST_STEP, step))
}
