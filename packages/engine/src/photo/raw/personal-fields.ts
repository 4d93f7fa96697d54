import { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { WindowSource } from '../../bytes/window-source.ts'
import { readTiffHeader } from '../../syntax/tiff-ifd/header.ts'
import { type Ifd, numbersOf, readIfd } from '../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../syntax/tiff-ifd/tags.ts'

/** Fields that tell when a photo was taken, and by whom: Exif 2.32 §4.6, TIFF 6.0 §8. */
const PERSONAL: readonly number[] = [
  ...[TAG.dateTime, TAG.dateTimeOriginal, TAG.dateTimeDigitized],
  ...[TAG.subSecTime, TAG.subSecTimeOriginal, TAG.subSecTimeDigitized],
  ...[TAG.artist, TAG.copyright, TAG.cameraOwner, TAG.bodySerial, TAG.lensSerial, TAG.xmp, TAG.iptc],
]
/** Directories that are looked into: a photo's own, its smaller versions', Exif's. */
const MOST_DIRECTORIES = 64

/**
 * Where a photo's directories tell the place, the time and the people that it belongs to. Blanked, they keep their room: a
 * sample's header that serves another photo tells nothing of its own.
 */
export function personalFields(numbers: TiffNumbers, first: Ifd, big: boolean): readonly Region[] {
  const found: Region[] = []
  const waiting = [first]
  const seen = new Set([first.offset])
  const follow = (offset: number): void => {
    const ifd =
      offset > 0 && !seen.has(offset) && seen.size < MOST_DIRECTORIES && readIfd(numbers, offset, big)
    seen.add(offset)
    if (ifd) waiting.push(ifd)
  }
  for (let i = 0; i < waiting.length; i++) {
    const ifd = waiting[i]
    for (const tag of PERSONAL) {
      const entry = ifd.entries.get(tag)
      if (entry) found.push({ offset: entry.valueAt, length: entry.bytes })
    }
    const [place = 0] = numbersOf(numbers, ifd.entries.get(TAG.gpsIfd), 1)
    for (const { valueAt, bytes } of (place > 0 && readIfd(numbers, place, big)?.entries.values()) || [])
      found.push({ offset: valueAt, length: bytes })
    for (const tag of [TAG.exifIfd, TAG.subIfds])
      for (const to of numbersOf(numbers, ifd.entries.get(tag), MOST_DIRECTORIES)) follow(to)
    follow(ifd.next)
  }
  return found
}

/** The same of a TIFF structure that stands within a file of another kind; none where it cannot be read. */
export function personalFieldsIn(reader: ByteReader, { offset, length }: Region): readonly Region[] {
  const inner = innerDirectory(reader, { offset, length })
  if (!inner) return []
  return personalFields(inner.numbers, inner.first, inner.big).map((field) => ({
    offset: offset + field.offset,
    length: field.length,
  }))
}

/** All values of the first directory of such a structure, or those of some tags. */
export function valuesIn(
  reader: ByteReader,
  { offset, length }: Region,
  tags?: ReadonlySet<number>,
): readonly Region[] {
  const entries = [...(innerDirectory(reader, { offset, length })?.first.entries.values() ?? [])]
  return entries
    .filter(({ tag }) => !tags || tags.has(tag))
    .map(({ valueAt, bytes }) => ({ offset: offset + valueAt, length: bytes }))
}

function innerDirectory(
  reader: ByteReader,
  { offset, length }: Region,
): { readonly numbers: TiffNumbers; readonly first: Ifd; readonly big: boolean } | undefined {
  const inner = new ByteReader(new WindowSource(reader.source, offset, length))
  const header = readTiffHeader(inner)
  const numbers = header && new TiffNumbers(inner, header.little)
  const first = numbers && readIfd(numbers, header.firstIfd, header.big)
  return first && { numbers, first, big: header.big }
}

/** Zeros where a photo's first bytes hold such fields. */
export function blankFields(head: Uint8Array, fields: readonly Region[]): void {
  for (const { offset, length } of fields)
    head.fill(0, Math.min(offset, head.length), Math.min(offset + length, head.length))
}
