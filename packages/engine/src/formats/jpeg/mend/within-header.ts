import { SOI, SOS } from '../../../syntax/jpeg-markers/markers.ts'
import { isThumbnail } from '../read/thumbnail.ts'
import { soundSegments } from './sound-segments.ts'

/** Bytes behind a picture in which the header that it stands in goes on. */
const LOOK = 65_537
/** Bytes in front of a scan in which its picture begins. */
const LONGEST_HEADER = 1 << 20

/**
 * Whether a picture from `start` to `end` stands in the header of another, whose thumbnail it is: that says so in front of it, or
 * goes on behind it with tables or a frame that no start of image is in front of.
 */
export function isWithinHeader(bytes: Uint8Array, start: number, end: number): boolean {
  if (isThumbnail(bytes, start, end)) return true
  const behind = bytes.subarray(end, end + LOOK)
  const [first] = soundSegments(behind)
  return start > 0 && first !== undefined && first.marker !== SOS && startOfImage(behind, 0, first.offset) < 0
}

/** The last start of image between two places, -1 where there is none. */
export function startOfImage(bytes: Uint8Array, from: number, to: number): number {
  const least = Math.max(from, to - LONGEST_HEADER)
  for (let at = bytes.lastIndexOf(SOI, to - 1); at > least; at = bytes.lastIndexOf(SOI, at - 1))
    if (bytes[at - 1] === 0xff && bytes[at + 1] === 0xff) return at - 1
  return -1
}
