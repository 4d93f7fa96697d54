import type { ByteReader } from '../../bytes/reader.ts'
import { bodyOf, isCut, isFourcc, readBox, readChildren } from '../../syntax/iso-boxes/box.ts'
import type { InputFile, Probe } from '../format.ts'
import { EXTENSIONS } from './extensions.ts'
import { isItemProperties } from './read/loose-meta.ts'
import { findPictureTracks } from './read/picture-tracks.ts'
import { claimsSequenceAlone } from './read/sequence-brands.ts'

/** File types of photos, ISO/IEC 23008-12:2022 §10, AV1 Image File Format. */
const BRANDS: ReadonlySet<string> = new Set([
  ...['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'mif3', 'avif'],
])
const LOOK = 64 * 1024

/**
 * A photo's file type, a `meta` box of pictures near the head, or what such a box holds, is certain: recordings have neither. So
 * are tracks of pictures beside one.
 */
export function probe({ reader, extension }: InputFile): Probe {
  for (let at = 0; at < Math.min(LOOK, reader.size); at++) {
    if (isItemProperties(reader, at)) return { score: 99, reasons: [`properties of pictures at ${at}`] }
    if (reader.u8(at + 4) !== 0x6d || reader.fourcc(at + 4) !== 'meta') continue
    const handler = at + 12
    if (
      reader.fourcc(handler + 4) === 'hdlr' &&
      reader.fourcc(handler + 16) === 'pict' &&
      !isOfSequence(reader, at)
    )
      return { score: 99, reasons: [`meta of pictures at ${at}`] }
  }
  const [main, ...others] = brandsOf(reader)
  if (main === undefined) {
    // a movie that survives may be the photo's own, of a moment around it, or its sound
    const named = EXTENSIONS.has(extension) && !isFourcc(reader.fourcc(4))
    return named ? { score: NAMED, reasons: [`no head, and named ${extension}`] } : { score: 0, reasons: [] }
  }
  if (BRANDS.has(main)) return { score: 90, reasons: [`head: ftyp ${main}`] }
  return others.some((brand) => BRANDS.has(brand)) && findPictureTracks(reader).length > 0
    ? { score: 99, reasons: ['tracks of pictures in a file that is a photo, too'] }
    : { score: 0, reasons: [] }
}

/**
 * Whether the `meta` box at a place is whole and has no items, in a file that says it is a sequence and nothing else: its
 * pictures are those of its tracks alone, ISO/IEC 23008-12:2022 §7.
 */
function isOfSequence(reader: ByteReader, at: number): boolean {
  const fileType = readBox(reader, 0, reader.size)
  const meta = readBox(reader, at, reader.size)
  if (fileType?.type !== 'ftyp' || !claimsSequenceAlone(reader, fileType) || !meta || isCut(meta))
    return false
  const { boxes, stopped } = readChildren(reader, bodyOf(meta) + 4, meta.end)
  const hasItems = boxes.some(({ type }) => type === 'iinf' || type === 'iloc' || type === 'iprp')
  return stopped === meta.end && !hasItems && findPictureTracks(reader).length > 0
}

/** With what a name adds, more than a recording without its head comes to; less than what is certain. */
const NAMED = 86

/** The brands of a file type box at the head, the main one first; none where there is no such box. */
function brandsOf(reader: ByteReader): readonly string[] {
  const box = readBox(reader, 0, reader.size)
  if (box?.type !== 'ftyp' || box.size > 4096) return []
  const brands = [reader.fourcc(bodyOf(box))]
  for (let at = bodyOf(box) + 8; at + 4 <= box.end; at += 4) brands.push(reader.fourcc(at))
  return brands
}
