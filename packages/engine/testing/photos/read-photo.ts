import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { ScanDecoder } from '../../src/codecs/jpeg/scan-decoder.ts'
import { readPicture } from '../../src/formats/jpeg/read/read-picture.ts'
import { SOF2 } from '../../src/syntax/jpeg-markers/markers.ts'

/** A JPEG file's coefficients, quantised, DC absolute, as a plain decoder reads them. */
export interface PhotoCoefficients {
  readonly layout: McuLayout
  readonly coefficients: Int16Array
  /** Of each component, in zigzag order. */
  readonly quantisation: readonly Uint16Array[]
  /** Every scan was whole and the end of image is there. */
  readonly whole: boolean
  /** Where the entropy-coded data of the first scan begin, and where those of the last end. */
  readonly start: number
  readonly end: number
}

/** Decodes a file whose header is whole; undefined when it is not, or needs what the engine does not have. */
export function readPhoto(bytes: Uint8Array): PhotoCoefficients | undefined {
  const picture = readPicture(bytes, 0)
  if (!picture || picture.frame.marker > SOF2) return undefined
  const { frame, scans, quantisation } = picture
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
  let whole = picture.ended
  for (const scan of scans) {
    const decoder = new ScanDecoder(layout, coefficients, scan.header, scan.tables, frame.marker === SOF2)
    if (!decoder.possible) return undefined
    const data = entropyData(bytes, scan.start, scan.end, () => false)
    if (!decoder.decode(data, scan.interval).whole) whole = false
  }
  const tables = layout.components.map(({ table }) => quantisation[table])
  const present = tables.filter((table) => table !== undefined)
  if (present.length < tables.length) return undefined
  return {
    layout,
    coefficients,
    quantisation: present,
    whole,
    start: scans[0].start,
    end: scans[scans.length - 1].end,
  }
}
