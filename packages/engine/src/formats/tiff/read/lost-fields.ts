import { type Ifd, ifdLayout } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG, typeBytes } from '../../../syntax/tiff-ifd/tags.ts'

/**
 * Fields of zeros that a directory of all that a picture needs may have: some writers leave one empty, or one with a tag of their
 * own alone.
 */
const EMPTY = 1
const TAG_BYTES = 2
/** From here on tags are their writers' own: TIFF 6.0 §1. */
const PRIVATE = 32_768
/** What every picture's directory has, in one of two ways. */
const NEEDED = [
  [TAG.stripOffsets, TAG.tileOffsets],
  [TAG.stripByteCounts, TAG.tileByteCounts],
  [TAG.imageWidth],
  [TAG.imageLength],
]

/**
 * Where the fields of a directory stand that are none, since something overwrote them: their type does not exist (TIFF 6.0 §2),
 * or they are zeros, more than a writer leaves, or in place of one that is needed.
 */
export function lostFields(
  numbers: TiffNumbers,
  { offset, nextAt, entries }: Ifd,
  big: boolean,
): readonly number[] {
  const layout = ifdLayout(big)
  const empty: number[] = []
  const broken: number[] = []
  for (let at = offset + layout.count; at < nextAt; at += layout.entry) {
    const bytes = numbers.reader.bytes(at, layout.entry)
    const isOwn = numbers.u16(at) >= PRIVATE
    if (bytes.subarray(isOwn ? TAG_BYTES : 0).every((byte) => byte === 0)) empty.push(at)
    else if (typeBytes(numbers.u16(at + 2)) === 0) broken.push(at)
  }
  const has = NEEDED.filter((tags) => tags.some((tag) => entries.has(tag))).length
  const needed = has > 0 && has < NEEDED.length
  return empty.length > EMPTY || broken.length > 0 || needed
    ? [...empty, ...broken].sort((a, b) => a - b)
    : []
}

/** Of places of fields that were lost, one where a field of a tag stood: fields stand in rising order. */
export function placeOfField({ entries }: Ifd, lost: readonly number[], tag: number): number | undefined {
  const others = [...entries.values()]
  return lost.findLast((place) => others.every((other) => other.at < place === other.tag < tag))
}
