import { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { WindowSource } from '../../../bytes/window-source.ts'
import { type Box, bodyOf, versionOf } from '../../../syntax/iso-boxes/box.ts'
import { HEADER_BYTES, readTiffHeader } from '../../../syntax/tiff-ifd/header.ts'
import { type Ifd, ifdLayout, numberOf, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG, typeBytes } from '../../../syntax/tiff-ifd/tags.ts'
import type { ItemState } from './nal-items.ts'

/** Text beside a picture that is looked through. */
const MOST_TEXT = 1 << 24
/** Bytes in front of Exif data: how far behind them those begin. ISO/IEC 23008-12:2022 §A.2.1. */
const EXIF_OFFSET = 4
/** `Exif` and two zeros, Exif 2.32 §4.7.2. */
const JPEG_LETTERS = 6

/** Holds an `Exif` item against its bytes: directories whose fields are of types there are, and lie in the item. TIFF 6.0 §2. */
export function checkExifItem(reader: ByteReader, offset: number, length: number): ItemState {
  if (offset + length > reader.size) return 'cut'
  // no hit makes it shorter: what has no room for a header was none before
  if (length < EXIF_OFFSET + HEADER_BYTES) return 'whole'
  const exif = directoryOf(reader, offset, length)
  if (!exif) return 'broken'
  const { numbers, first } = exif
  const further = [TAG.exifIfd, TAG.gpsIfd].map((tag) => numberOf(numbers, first, tag, 0))
  const directories = [first.offset, ...further.filter((place) => place > 0)]
  return directories.every((place) => isDirectory(numbers, place)) ? 'whole' : 'broken'
}

/** The first directory of an `Exif` item. */
function directoryOf(
  reader: ByteReader,
  offset: number,
  length: number,
): { readonly numbers: TiffNumbers; readonly first: Ifd } | undefined {
  // some writers leave the number in front out, others do not count the letters that Exif has in JPEG files
  const starts = [EXIF_OFFSET + reader.u32(offset), 0, EXIF_OFFSET + JPEG_LETTERS]
  const start = starts.find((at) => readTiffHeader(reader, offset + at))
  if (start === undefined || start >= length) return undefined
  const data = new ByteReader(new WindowSource(reader.source, offset + start, length - start))
  const header = readTiffHeader(data)
  if (!header || header.big) return undefined
  const numbers = new TiffNumbers(data, header.little)
  const first = readIfd(numbers, header.firstIfd, false)
  return first && { numbers, first }
}

/** Exif's number for how a photo is turned, by an `Exif` item that is whole; undefined where it tells none. */
export function exifTurn(reader: ByteReader, { offset, length }: Region): number | undefined {
  const exif = directoryOf(reader, offset, length)
  const turn = exif ? numberOf(exif.numbers, exif.first, ORIENTATION, 0) : 0
  return turn >= 1 && turn <= 8 ? turn : undefined
}

const ORIENTATION = 0x0112

/**
 * Whether each field of a directory is of a type and lies within the data, and no two are of one tag. One without values is left
 * by writers.
 */
function isDirectory(numbers: TiffNumbers, place: number): boolean {
  const ifd = readIfd(numbers, place, false)
  if (!ifd) return false
  const { count, entry } = ifdLayout(false)
  let empty = 0
  for (let at = place + count; at < ifd.nextAt; at += entry)
    if (typeBytes(numbers.u16(at + 2)) > 0 && numbers.u32(at + 4) === 0) empty++
  return (
    ifd.entries.size + empty === (ifd.nextAt - place - count) / entry &&
    [...ifd.entries.values()].every(({ valueAt, bytes }) => valueAt + bytes <= numbers.reader.size)
  )
}

/** Whether an item's entry says that it is XML in UTF-8, as XMP is: ISO/IEC 14496-12:2022 §8.11.6.2, XMP part 3 §3. */
function isXmp(reader: ByteReader, entry: Box): boolean {
  const at = bodyOf(entry) + (versionOf(reader, entry) === 2 ? 12 : 14)
  const words = String.fromCharCode(...reader.bytes(at, Math.min(MOST_WORDS, Math.max(0, entry.end - at))))
  const [, type, encoding = ''] = words.split('\0')
  return type === 'application/rdf+xml' && encoding === ''
}

/** Bytes of an item's name, content type and encoding that are read. */
const MOST_WORDS = 1_024

/** Holds a `mime` item against its bytes: text of XMP has no characters of control but those that part lines. XML 1.0 §2.2. */
export function checkTextItem(reader: ByteReader, { offset, length }: Region, entry: Box): ItemState {
  if (offset + length > reader.size) return 'cut'
  if (length > MOST_TEXT || !isXmp(reader, entry)) return 'whole'
  const whole = reader.bytes(offset, length)
  const text = whole.subarray(JPEG_HEADER.every((byte, i) => whole[i] === byte) ? JPEG_HEADER.length : 0)
  let end = text.length
  while (end > 0 && text[end - 1] === 0) end--
  return end > 0 && text.subarray(0, end).every((byte) => byte >= 0x20 || PARTING.has(byte))
    ? 'whole'
    : 'broken'
}

/** What stands in front of XMP in JPEG files, XMP part 3 §1.1.3, and is taken over from there by some writers. */
const JPEG_HEADER = Uint8Array.from('http://ns.adobe.com/xap/1.0/\0', (letter) => letter.charCodeAt(0))

/** Tab, line feed, carriage return. */
const PARTING: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d])
