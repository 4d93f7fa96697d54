import { Allowance } from '../../../model/allowance.ts'
import { isSegment, SOI } from '../../../syntax/jpeg-markers/markers.ts'
import { type Segment, segmentAt } from '../../../syntax/jpeg-markers/segments.ts'

const APP0 = 0xe0
const APP15 = 0xef
const COM = 0xfe
const MAX_SEGMENTS = 256
const LONGEST = 65_535
/** Segments looked at over all lengths that are put right. */
const LOOKS = 100_000

/** Application data and comments that a header still has, and whether all of it is as it was written. */
export interface KeptSegments {
  readonly bytes: readonly Uint8Array[]
  readonly segments: readonly Segment[]
  /** The file begins as it should, and every segment leads to the next. */
  readonly whole: boolean
}

/**
 * Application segments between `from` and `to`, where the tables begin. A length that leads nowhere is put right where the next
 * segment or the tables can be reached otherwise; what is no segment is left out.
 */
export function keptSegments(bytes: Uint8Array, from: number, to: number): KeptSegments {
  const kept: Uint8Array[] = []
  const segments: Segment[] = []
  let whole = bytes[from] === 0xff && bytes[from + 1] === SOI
  const looks = new Allowance(LOOKS)
  let at = whole ? from + 2 : from
  while (at < to && segments.length < MAX_SEGMENTS) {
    const marker = bytes[at + 1]
    const named = bytes[at] === 0xff && ((marker >= APP0 && marker <= APP15) || marker === COM)
    if (!named) {
      whole = false
      at = nextNamed(bytes, at + 1, to)
      continue
    }
    const segment = segmentAt(bytes, at)
    const leads = segment && segment.end <= to && (segment.end === to || startsSegment(bytes, segment.end))
    if (segment && leads) {
      segments.push(segment)
      kept.push(bytes.subarray(at, segment.end))
      at = segment.end
      continue
    }
    whole = false
    const end = repairedEnd(bytes, at, to, looks)
    if (end < 0) {
      at = nextNamed(bytes, at + 1, to)
      continue
    }
    const mended = bytes.slice(at, end)
    mended[2] = (end - at - 2) >> 8
    mended[3] = (end - at - 2) & 0xff
    segments.push({ marker, offset: at, end, body: mended.subarray(4) })
    kept.push(mended)
    at = end
  }
  return { bytes: kept, segments, whole: whole && at === to }
}

function startsSegment(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xff && isSegment(bytes[at + 1])
}

/** The end of a segment whose length is wrong: the first place from which segments lead to the tables at `to`. */
function repairedEnd(bytes: Uint8Array, at: number, to: number, looks: Allowance): number {
  for (let end = at + 4; end <= Math.min(to, at + 2 + LONGEST); end++) {
    if (end === to) return end
    if (bytes[end] !== 0xff || !isSegment(bytes[end + 1])) continue
    let next = end
    for (let i = 0; i < MAX_SEGMENTS && next < to; i++) {
      const segment = looks.take() ? segmentAt(bytes, next) : undefined
      if (!segment) break
      next = segment.end
    }
    if (next === to) return end
  }
  return -1
}

function nextNamed(bytes: Uint8Array, from: number, to: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < to; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    if (((marker >= APP0 && marker <= APP15) || marker === COM) && segmentAt(bytes, at)) return at
  }
  return to
}
