import { Allowance } from '../../../model/allowance.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { MOST_CHECKED } from '../read/check-units.ts'
import { compressionOf } from '../read/compression.ts'
import { plainBytes, type TiffImage, type Unit } from '../read/image.ts'

/**
 * A packed strip or tile within which bytes came in or are gone, in the file as it is, and as it would be had everything moved.
 */
export interface MovedUnit {
  readonly before: TiffNumbers
  readonly after: TiffNumbers
  readonly image: TiffImage
  readonly unit: Unit
}

/** Places that are tried, backwards from where reading fails. */
const MOST_TRIED = 4_096
/** Bytes that are unpacked for it. */
const MOST_UNPACKED = 64 * 1024 * 1024

/**
 * Where in a packed strip or tile bytes came in or went: with them out, it unpacks to its end. What was read in front of the
 * fault tells how far to look. Undefined where it unpacks with none, or cannot be unpacked here.
 */
export function movedWithin({ before, after, image, unit }: MovedUnit): number | undefined {
  const compression = compressionOf(image.compression)
  const plain = plainBytes(before, image, unit)
  if (!compression || plain === 0 || plain > MOST_CHECKED || unit.bytes > MOST_CHECKED) return undefined
  const allowance = new Allowance(MOST_UNPACKED)
  const moved = Uint8Array.from(after.reader.bytes(unit.offset, unit.bytes))
  const stays = Uint8Array.from(before.reader.bytes(unit.offset, moved.length))
  const unpacked = (bytes: Uint8Array) => compression.unpack(bytes, plain)
  const { bytes: read, whole } = unpacked(stays)
  if (whole) return undefined
  let [least, most] = [0, stays.length]
  while (least < most) {
    const middle = (least + most) >> 1
    if (!allowance.take(plain + middle)) return undefined
    if (unpacked(stays.subarray(0, middle)).bytes.length < read.length) least = middle + 1
    else most = middle
  }
  for (let kept = least; kept >= Math.max(0, least - MOST_TRIED); kept--) {
    if (!allowance.take(plain + moved.length)) return undefined
    const bytes = Uint8Array.from(moved)
    bytes.set(stays.subarray(0, kept))
    if (unpacked(bytes).whole) return unit.offset + kept
  }
  return undefined
}
