import { STANDARD_QUANTISATION } from '../../codecs/jpeg/standard-tables.ts'
import { KNOWN_TABLES } from './known-tables.ts'

/**
 * The table of a quality from 1 to 100 as most encoders scale the standard's: 0 for luminance, 1 for chrominance; in zigzag
 * order.
 */
export function scaledTable(which: 0 | 1, quality: number): Uint16Array {
  const scale = quality < 50 ? 5_000 / quality : 200 - 2 * quality
  return STANDARD_QUANTISATION[which].map((value) =>
    Math.max(1, Math.min(255, Math.floor((value * scale + 50) / 100))),
  )
}

const BEST_QUALITY = 100
const LEAST_QUALITY = 10
const MOST_STEP = 255
/** Levels that DC reaches in most photos: nearly white or nearly black somewhere. */
const REACHED = 120
const SAMPLES_ACROSS = 8

/** How a table may grow towards fine detail: as the standard's, the root of that and so on, down to not at all. */
const EXPONENTS = [0, 0.25, 0.5, 0.75, 1, 1.25]
/** How much finer steps of detail may be than that of DC makes them. */
const FINER = [1, 0.5, 0.25]

/** How far the step of DC of known tables may be from what is told of it. */
const KNOWN_NEAR = 0.3

/** A table that may be a picture's. */
export interface LikelyTable {
  readonly values: Uint16Array
  /** The quality it is scaled by, or the power of the standard's growth. */
  readonly quality: number | undefined
  readonly exponent: number
  readonly finer: number
  /** The one of chrominance that cameras write with it; undefined where none is known. */
  readonly chrominance?: Uint16Array
}

/**
 * Tables of luminance with the given step of DC: those that encoders scale by quality, others that grow otherwise, and those of
 * cameras.
 */
export function luminanceTables(step: number): LikelyTable[] {
  const dc = clamp(Math.round(step))
  const tables: LikelyTable[] = []
  for (let quality = LEAST_QUALITY; quality <= BEST_QUALITY; quality++) {
    const values = scaledTable(0, quality)
    if (values[0] === dc) tables.push({ values, quality, exponent: 1, finer: 1 })
  }
  for (const finer of FINER) {
    for (const exponent of EXPONENTS)
      tables.push({ values: grown(0, dc, exponent, finer), quality: undefined, exponent, finer })
  }
  for (const { luminance, chrominance } of KNOWN_TABLES) {
    if (luminance[0] === dc)
      tables.push({ values: luminance, quality: undefined, exponent: 1, finer: 1, chrominance })
  }
  return tables
}

/** The table of chrominance that goes with one of luminance, with the given step of DC where that is known. */
export function chrominanceTable(
  { values, quality, exponent, finer, chrominance }: LikelyTable,
  step: number | undefined,
): Uint16Array {
  if (chrominance && (step === undefined || Math.abs(step - chrominance[0]) <= KNOWN_NEAR * chrominance[0]))
    return chrominance
  const scaled = quality === undefined ? undefined : scaledTable(1, quality)
  const dc = step === undefined ? undefined : clamp(Math.round(step))
  if (scaled && (dc === undefined || scaled[0] === dc)) return scaled
  return grown(1, dc ?? values[0], exponent, finer)
}

/** A table that grows as the standard's does, to the power of `exponent`, from so much finer a step than that of DC. */
function grown(which: 0 | 1, dc: number, exponent: number, finer: number): Uint16Array {
  const standard = STANDARD_QUANTISATION[which]
  return standard.map((value, i) =>
    i === 0 ? dc : clamp(Math.round(finer * dc * (value / standard[0]) ** exponent)),
  )
}

function clamp(step: number): number {
  return Math.max(1, Math.min(MOST_STEP, step))
}

/**
 * The step of luminance DC by how far from grey its largest values are: quantised values, without those few that damage may have
 * made.
 */
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

/**
 * The step of DC with which quantised means, one for each MCU from the first, become the levels of a preview; undefined where
 * they do not follow it.
 */
export function stepByPreview(means: Float32Array, levels: Float32Array): number | undefined {
  const { count, xx, yy, xy } = spreads(means, levels)
  if (count < LEAST_VALUES) return undefined
  if (Math.sqrt(xx) < LEAST_DEVIATION || xy < LEAST_CORRELATION * Math.sqrt(xx * yy)) return undefined
  // both vary by errors of their own: the ratio of their spreads is between both regressions
  const step = SAMPLES_ACROSS * Math.sqrt(yy / xx)
  return Math.max(1, Math.min(MOST_STEP, step))
}

/**
 * How far quantised means follow the levels of a preview, from -1 to 1; undefined where one of them is even, or there are few.
 */
export function agreement(means: Float32Array, levels: Float32Array): number | undefined {
  const { count, xx, yy, xy } = spreads(means, levels)
  if (count < LEAST_VALUES || Math.sqrt(xx) < LEAST_DEVIATION || Math.sqrt(yy) < LEAST_DEVIATION)
    return undefined
  return xy / Math.sqrt(xx * yy)
}

/** Variances of two rows of values over their common length, and their covariance. */
function spreads(
  means: Float32Array,
  levels: Float32Array,
): { readonly count: number; readonly xx: number; readonly yy: number; readonly xy: number } {
  const count = Math.min(means.length, levels.length)
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
  return { count, xx, yy, xy }
}
