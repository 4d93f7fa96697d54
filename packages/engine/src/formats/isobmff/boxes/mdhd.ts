import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, versionOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'

/** Media header box, ISO/IEC 14496-12:2022 §8.4.2. */
export interface MediaHeader {
  readonly creation: number
  readonly modification: number
  /** Ticks a second of the track's samples. */
  readonly timescale: number
  readonly duration: number
  /** Packed language code and pre-defined (QuickTime: quality), as they stand. */
  readonly language: number
  readonly quality: number
}

/** `und`, the undetermined language. */
export const UNDETERMINED = 0x55c4

/** Reads the header; undefined when it is cut before its duration or has no timescale. */
export function parseMediaHeader(reader: ByteReader, box: Box): MediaHeader | undefined {
  const wide = versionOf(reader, box) === 1
  const at = bodyOf(box) + 4
  const after = at + (wide ? 28 : 16)
  if (after > box.end) return undefined
  const timescale = reader.u32(at + (wide ? 16 : 8))
  if (timescale === 0) return undefined
  const whole = after + 4 <= box.end
  return {
    creation: wide ? reader.u64(at) : reader.u32(at),
    modification: wide ? reader.u64(at + 8) : reader.u32(at + 4),
    timescale,
    duration: wide ? reader.u64(at + 20) : reader.u32(at + 12),
    language: whole ? reader.u16(after) : UNDETERMINED,
    quality: whole ? reader.u16(after + 2) : 0,
  }
}

export function writeMediaHeader(writer: BoxWriter, header: MediaHeader): void {
  const wide =
    header.duration > 0xffff_ffff || header.creation > 0xffff_ffff || header.modification > 0xffff_ffff
  writer.fullBox('mdhd', wide ? 1 : 0, 0, () => {
    writer.number(header.creation, wide)
    writer.number(header.modification, wide)
    writer.u32(header.timescale)
    writer.number(header.duration, wide)
    writer.u16(header.language)
    writer.u16(header.quality)
  })
}
