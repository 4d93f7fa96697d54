import type { ByteReader } from '../bytes/reader.ts'
import { isZero } from '../bytes/zeros.ts'
import type { Allowance } from '../model/allowance.ts'
import type { TrackDescription } from '../model/track.ts'

/** Bytes of the NAL unit length field, ISO/IEC 14496-15:2022 §5.3.3 and §8.3.3: 1, 2 or 4. */
export function nalLengthSize(track: TrackDescription): number {
  const { config, codec } = track
  const at = codec === 'h264' ? 4 : codec === 'hevc' ? 21 : -1
  return at >= 0 && config.length > at ? (config[at] & 3) + 1 : 4
}

/** NAL units one sample may hold; 8K pictures of many slices reach some hundreds. */
const MAX_UNITS = 65_536

/**
 * Measures the chain of length-prefixed NAL units that starts at `offset`: the bytes up to the first unit that is
 * impossible or runs past `offset + size`. Equal to `size` for a whole sample; zeros behind the last unit count to it. The chain
 * ends where the steps of `work`, one a unit, do.
 */
export function nalChain(
  reader: ByteReader,
  codec: string,
  lengthSize: number,
  offset: number,
  size: number,
  work?: Allowance,
): number {
  const end = offset + size
  let at = offset
  for (let units = 0; units < MAX_UNITS && at + lengthSize < end; units++) {
    if (work && !work.take()) return at - offset
    let length = 0
    for (let i = 0; i < lengthSize; i++) length = length * 256 + reader.u8(at + i)
    if (length === 0) return at > offset && isZero(reader, at, end) ? size : at - offset
    if (at + lengthSize + length > end || !isHeader(reader, codec, at + lengthSize)) return at - offset
    at += lengthSize + length
  }
  return at === end ? size : at > offset && isZero(reader, at, end) ? size : at - offset
}

function isHeader(reader: ByteReader, codec: string, at: number): boolean {
  const first = reader.u8(at)
  if (first & 0x80) return false
  // types that the standard leaves to applications lie in samples, too: Dolby Vision has its metadata in one of them
  if (codec === 'h264') return (first & 31) !== 0
  // H.265 and H.266: the second byte ends in a temporal id that is never zero.
  return (reader.u8(at + 1) & 7) !== 0
}
