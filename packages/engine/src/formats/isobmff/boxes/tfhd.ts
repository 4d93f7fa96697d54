import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, flagsOf } from './box.ts'

/** Track fragment header box, ISO/IEC 14496-12:2022 §8.8.7; absent fields are undefined. */
export interface TrackFragmentHeader {
  readonly track: number
  readonly baseOffset: number | undefined
  readonly description: number | undefined
  readonly duration: number | undefined
  readonly size: number | undefined
  readonly flags: number | undefined
  /** Offsets count from the first byte of the fragment. */
  readonly baseIsFragment: boolean
}

export function parseTrackFragmentHeader(reader: ByteReader, box: Box): TrackFragmentHeader | undefined {
  const has = flagsOf(reader, box)
  let at = bodyOf(box) + 4
  if (at + 4 > box.end) return undefined
  const track = reader.u32(at)
  at += 4
  const take = (bit: number, bytes: number): number | undefined => {
    if ((has & bit) === 0) return undefined
    const value = bytes === 8 ? reader.u64(at) : reader.u32(at)
    at += bytes
    return value
  }
  const baseOffset = take(0x1, 8)
  const description = take(0x2, 4)
  const duration = take(0x8, 4)
  const size = take(0x10, 4)
  const flags = take(0x20, 4)
  if (at > box.end) return undefined
  return { track, baseOffset, description, duration, size, flags, baseIsFragment: (has & 0x2_0000) !== 0 }
}

/** Base media decode time, ISO/IEC 14496-12:2022 §8.8.12, in the media's ticks; undefined when cut. */
export function parseDecodeTime(reader: ByteReader, box: Box): number | undefined {
  const at = bodyOf(box) + 4
  const wide = at <= box.end && reader.u8(at - 4) === 1
  if (at + (wide ? 8 : 4) > box.end) return undefined
  return wide ? reader.u64(at) : reader.u32(at)
}
