import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { personalFieldsIn, valuesIn } from '../../../photo/raw/personal-fields.ts'
import { type Box, bodyOf, isCut, readChildren, versionOf } from '../../../syntax/iso-boxes/box.ts'
import type { Movie } from '../read/container.ts'

/** Of Canon's own directory: owner, serial numbers, the photo's own number. ExifTool's tag documentation, `Canon`. */
const CANON: ReadonlySet<number> = new Set([0x08, 0x09, 0x0c, 0x28, 0x96])
/** Boxes that say when they were written, and those around them. */
const TIMED: ReadonlySet<string> = new Set(['mvhd', 'tkhd', 'mdhd'])
const AROUND: ReadonlySet<string> = new Set(['trak', 'mdia'])

/** Where a movie box tells the place, the time and the people that its photo belongs to. */
export function personalRegions(reader: ByteReader, { box, metadata }: Movie): readonly Region[] {
  const inside = (type: string): Region | undefined => {
    const found = metadata.get(type)
    return found && !isCut(found) ? { offset: bodyOf(found), length: found.end - bodyOf(found) } : undefined
  }
  const [photo, exif, maker, gps] = ['CMT1', 'CMT2', 'CMT3', 'CMT4'].map(inside)
  return [
    ...[photo, exif].flatMap((region) => (region ? personalFieldsIn(reader, region) : [])),
    ...(maker ? valuesIn(reader, maker, CANON) : []),
    ...(gps ? valuesIn(reader, gps) : []),
    ...times(reader, box),
  ]
}

function times(reader: ByteReader, parent: Box): Region[] {
  return readChildren(reader, bodyOf(parent), parent.end).boxes.flatMap((box) => {
    if (AROUND.has(box.type)) return times(reader, box)
    return TIMED.has(box.type)
      ? [{ offset: bodyOf(box) + 4, length: versionOf(reader, box) === 1 ? 16 : 8 }]
      : []
  })
}
