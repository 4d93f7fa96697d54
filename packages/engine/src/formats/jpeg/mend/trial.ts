import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import type { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
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
