import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, flagsOf } from '../../../syntax/iso-boxes/box.ts'
import { headerMended } from '../findings.ts'
import { differByOneBit } from '../mend/bits.ts'

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

/** Bytes of the fields that a track fragment header may have, by their flags. */
const FIELDS: readonly (readonly [flag: number, bytes: number])[] = [
  [0x1, 8],
  [0x2, 4],
  [0x8, 4],
  [0x10, 4],
  [0x20, 4],
]

/** @param has the box's flags, where they are known better than the box says */
export function parseTrackFragmentHeader(
  reader: ByteReader,
  box: Box,
  has = flagsOf(reader, box),
): TrackFragmentHeader | undefined {
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
  // the size tells the version more surely than the version does
  if (at + 8 === box.end) return reader.u64(at)
  return at + 4 <= box.end ? reader.u32(at) : undefined
}

/**
 * The flags of a track fragment header. Where a flipped bit in them makes fields that do not fill the box, or leaves what offsets
 * count from to chance, those of the flags that are `usual` in the file that are one bit away.
 */
export function mendedHeaderFlags(
  reader: ByteReader,
  box: Box,
  usual: ReadonlySet<number>,
  findings: Findings,
): number {
  const has = flagsOf(reader, box)
  if (usual.has(has)) return has
  const fills = (flags: number): boolean =>
    bodyOf(box) + 8 + FIELDS.reduce((sum, [flag, bytes]) => sum + (flags & flag ? bytes : 0), 0) === box.end
  const near = [...usual].filter((flags) => fills(flags) && differByOneBit(flags, has))
  if (near.length !== 1) return has
  findings.add(headerMended(box.offset, `flags ${has} of 'tfhd'`, String(near[0])))
  return near[0]
}
