import { readBox } from '../../syntax/iso-boxes/box.ts'
import type { InputFile, Probe } from '../format.ts'

/** File types of photos, ISO/IEC 23008-12:2022 §10, AV1 Image File Format. */
const BRANDS: ReadonlySet<string> = new Set([...['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'avif']])
const LOOK = 64 * 1024

/** A photo's file type, or a `meta` box of pictures near the head, is certain: recordings have neither. */
export function probe({ reader }: InputFile): Probe {
  for (let at = 0; at < Math.min(LOOK, reader.size); at++) {
    if (reader.u8(at + 4) !== 0x6d || reader.fourcc(at + 4) !== 'meta') continue
    const handler = at + 12
    if (reader.fourcc(handler + 4) === 'hdlr' && reader.fourcc(handler + 16) === 'pict')
      return { score: 99, reasons: [`meta of pictures at ${at}`] }
  }
  const first = readBox(reader, 0, reader.size)
  const brand = first?.type === 'ftyp' && first.size <= 4096 ? reader.fourcc(8) : ''
  return BRANDS.has(brand) ? { score: 90, reasons: [`head: ftyp ${brand}`] } : { score: 0, reasons: [] }
}
