import { type EntropyData, entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { ScanDecoder } from '../../../codecs/jpeg/scan-decoder.ts'
import { EOI, SOF1 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import { refusalOf } from './mend-picture.ts'

/**
 * The picture up to the end of image among the data of its only scan, where all its MCUs stand in front of that: what follows is
 * none of it, though it may look like entropy-coded data. As it was where nothing shows such an end.
 */
export function withProvenEnd(bytes: Uint8Array, picture: ReadPicture): ReadPicture {
  const [scan] = picture.scans
  if (!isSingleScan(picture)) return picture
  const data = entropyData(bytes, scan.start, scan.end, (marker) => marker === EOI)
  if (data.end === scan.end || !readsWhole(picture, data)) return picture
  return { ...picture, scans: [{ ...scan, end: data.end }], end: data.end + 2, ended: true }
}

/** Whether a picture is one that can be mended, of one sequential scan of all its components. */
export function isSingleScan(picture: ReadPicture): boolean {
  const { frame, scans } = picture
  const [{ header }] = scans
  const sequential = frame.marker <= SOF1 && scans.length === 1
  return sequential && header.components.length === frame.components.length && !refusalOf(picture)
}

/** Whether all MCUs of a picture of one scan are read from its data, and nothing but padding stands behind them. */
export function readsWhole({ frame, scans: [scan] }: ReadPicture, data: EntropyData): boolean {
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
  const decoder = new ScanDecoder(layout, coefficients, scan.header, scan.tables, false)
  return decoder.possible && decoder.decode(data, scan.interval).whole
}
