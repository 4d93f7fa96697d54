import { isSegment, SOI, SOS } from './markers.ts'

/** A marker segment: `body` is what follows the length; `offset` of the FF, `end` behind the last byte of the body. */
export interface Segment {
  readonly marker: number
  readonly offset: number
  readonly end: number
  readonly body: Uint8Array
}

/** Segments of one header: real files have up to about 400 (an ICC profile or maker notes in pieces). */
export const MAX_SEGMENTS = 4_096

/** The segment at `offset`, ITU-T T.81 §B.1.1.4; undefined when none begins there or it does not end within the bytes. */
export function segmentAt(bytes: Uint8Array, offset: number): Segment | undefined {
  if (bytes[offset] !== 0xff || offset + 4 > bytes.length) return undefined
  const marker = bytes[offset + 1]
  if (!isSegment(marker)) return undefined
  const length = (bytes[offset + 2] << 8) | bytes[offset + 3]
  const end = offset + 2 + length
  if (length < 2 || end > bytes.length) return undefined
  return { marker, offset, end, body: bytes.subarray(offset + 4, end) }
}

/**
 * Walks from `offset`, a start of image or a segment, up to and including the next scan header, or as far as segments follow each
 * other.
 */
export function walkSegments(bytes: Uint8Array, offset: number): Segment[] {
  const segments: Segment[] = []
  let at = offset
  if (bytes[at] === 0xff && bytes[at + 1] === SOI) at += 2
  while (segments.length < MAX_SEGMENTS) {
    // any marker may be preceded by fill bytes
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++
    const segment = segmentAt(bytes, at)
    if (!segment) break
    segments.push(segment)
    if (segment.marker === SOS) break
    at = segment.end
  }
  return segments
}

/** A segment's bytes: marker, length, body. */
export function writeSegment(marker: number, body: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(4 + body.length)
  bytes[0] = 0xff
  bytes[1] = marker
  bytes[2] = (body.length + 2) >> 8
  bytes[3] = (body.length + 2) & 0xff
  bytes.set(body, 4)
  return bytes
}
