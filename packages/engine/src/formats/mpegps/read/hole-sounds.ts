import type { ByteReader } from '../../../bytes/reader.ts'
import { frameBytes, isAlike } from '../../../recording/sound-frames.ts'

/** Bytes of the longest frame, and of the longest header of one. */
const LONGEST_FRAME = 8192
const HEADER_BYTES = 7

/** Frames of sound that a hole ends with. */
export interface HoleSounds {
  readonly start: number
  readonly count: number
}

/**
 * The frames at the end of [from, to) each of which leads to the next, and the last one to where a frame begins in the payload
 * [start, end) of the next packet of their stream; undefined where none do.
 */
export function holeSounds(
  reader: ByteReader,
  codec: string,
  from: number,
  to: number,
  start: number,
  end: number,
): HoleSounds | undefined {
  const bytes = reader.bytes(from, to - from).slice()
  const behind = reader.bytes(start, Math.min(end - start, LONGEST_FRAME + HEADER_BYTES)).slice()
  /** Frames from a place on up to one that begins in the next packet: known for each place once. */
  const counts = new Uint32Array(bytes.length)
  let found: HoleSounds | undefined
  for (let at = bytes.length - HEADER_BYTES; at >= 0; at--) {
    const length = frameBytes(codec, bytes, at)
    if (length === 0) continue
    const next = at + length
    const isLast = next >= bytes.length
    const count = isLast ? 1 : counts[next] > 0 ? counts[next] + 1 : 0
    const [there, place] = isLast ? [behind, next - bytes.length] : [bytes, next]
    if (count === 0 || frameBytes(codec, there, place) === 0 || !isAlike(codec, bytes, at, there, place))
      continue
    counts[at] = count
    if (count > (found?.count ?? 0)) found = { start: from + at, count }
  }
  return found
}
