import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { McuReader } from '../../src/codecs/jpeg/mcu-reader.ts'
import { readPicture } from '../../src/formats/jpeg/read/read-picture.ts'
import { edgeMeans } from '../../src/photo/levels/edge-means.ts'
import { StreamReader } from '../../src/photo/reading/read-stream.ts'
import type { PhotoCoefficients } from './read-photo.ts'

/**
 * The data of the only scan of a photo, with bits of them `turned`, and the tables of the blocks of an MCU. @throws Error where
 * it has none
 */
export function scanData(bytes: Uint8Array, { layout }: PhotoCoefficients, turned: readonly number[] = []) {
  const scan = readPicture(bytes, 0)?.scans[0]
  if (!scan) throw new Error('the photo cannot be read')
  const coding = scan.header.components.map(({ dc, ac }) => ({
    dc: scan.tables.decoding(0, dc),
    ac: scan.tables.decoding(1, ac),
  }))
  const tables = Array.from(layout.componentOf, (component) => {
    const { dc, ac } = coding[component]
    if (!dc || !ac) throw new Error('the photo has no such table')
    return { dc, ac }
  })
  const data = entropyData(bytes, scan.start, scan.end, () => false)
  for (const bit of turned) data.bytes[bit >> 3] ^= 0x80 >> (bit & 7)
  return { data, tables }
}

/**
 * All MCUs of such a scan without restart markers, with what tells where they do not go on. @throws Error where some cannot be
 * read
 */
export function readScan(bytes: Uint8Array, photo: PhotoCoefficients, turned: readonly number[] = []) {
  const { layout, quantisation } = photo
  const { data, tables } = scanData(bytes, photo, turned)
  const reader = new McuReader(data.bytes, data.length, tables)
  const stream = new StreamReader(data, reader, layout, 0, quantisation).read()
  if (stream.count !== layout.mcuCount) throw new Error('not all MCUs of the photo were read')
  const means = layout.components.map((_, i) =>
    edgeMeans(stream.coefficients, stream.count, layout, i, quantisation[i]),
  )
  return { ...stream, bytes: data.bytes, reader, layout, quantisation, means }
}
