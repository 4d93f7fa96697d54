import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { ScanDecoder } from '../../../codecs/jpeg/scan-decoder.ts'
import type { ReadScan } from '../read/read-picture.ts'

/** What can be read of a picture up to the first damage. */
export interface TrialReading {
  readonly layout: McuLayout
  readonly coefficients: Int16Array
  /** MCUs of the first scan that were read. */
  readonly count: number
  /** All of them. */
  readonly whole: boolean
}

/** Part of a picture that a reading must come to for others not to be tried. */
const ENOUGH = 0.25

/** Reads a picture with each of several first scans until one is read far; the one that is read furthest. */
export function bestTrial(
  bytes: Uint8Array,
  layout: McuLayout,
  firsts: readonly ReadScan[],
  others: readonly ReadScan[],
  progressive: boolean,
): TrialReading {
  let best: TrialReading | undefined
  for (const first of firsts) {
    const read = readCoefficients(bytes, layout, [first, ...others], progressive)
    if (!best || read.count > best.count) best = read
    if (best.count >= ENOUGH * layout.mcuCount) break
  }
  return best ?? readCoefficients(bytes, layout, [], progressive)
}

/** Reads scans into their places, to learn from what they hold. */
export function readCoefficients(
  bytes: Uint8Array,
  layout: McuLayout,
  scans: readonly ReadScan[],
  progressive: boolean,
): TrialReading {
  const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
  let count: number | undefined
  for (const { header, tables, interval, start, end } of scans) {
    const decoder = new ScanDecoder(layout, coefficients, header, tables, progressive)
    if (!decoder.possible) break
    const { read, total, whole } = decoder.decode(
      entropyData(bytes, start, end, () => false),
      interval,
    )
    count ??= Math.floor((read / total) * layout.mcuCount)
    if (!whole) break
  }
  return { layout, coefficients, count: count ?? 0, whole: count === layout.mcuCount }
}

/** Part of the blocks at either end of the scale that may be wrong. */
const MAY_BE_WRONG = 0.001

/** A reading whose levels begin anywhere, at such as lie around grey: midway between its darkest and brightest blocks. */
export function aroundGrey(trial: TrialReading): TrialReading {
  const { layout, count } = trial
  const coefficients = trial.coefficients.slice()
  for (const { firstBlock, h, v } of layout.components) {
    const places = Array.from({ length: count * h * v }, (_, i) => {
      const [mcu, block] = [Math.floor(i / (h * v)), firstBlock + (i % (h * v))]
      return mcu * layout.mcuLength + block * BLOCK_COEFFICIENTS
    })
    const sorted = Int16Array.from(places, (at) => coefficients[at]).sort()
    const wrong = Math.floor(MAY_BE_WRONG * sorted.length)
    const middle =
      sorted.length === 0 ? 0 : Math.round((sorted[wrong] + sorted[sorted.length - 1 - wrong]) / 2)
    for (const at of places) coefficients[at] -= middle
  }
  return { ...trial, coefficients }
}
