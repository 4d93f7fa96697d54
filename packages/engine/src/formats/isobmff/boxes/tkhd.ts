import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, flagsOf, versionOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'

/** Track header box, ISO/IEC 14496-12:2022 §8.3.2. */
export interface TrackHeader {
  /** Enabled 1, in movie 2, in preview 4. */
  readonly flags: number
  readonly creation: number
  readonly modification: number
  readonly id: number
  /** In ticks of the movie's timescale. */
  readonly duration: number
  /** From reserved to height: layer, group, volume, matrix, size, 60 bytes verbatim. */
  readonly tail: Uint8Array
}

const TAIL = 60

/** The last 60 bytes of a track header for a plain track of the given size in pixels (sound: 0 × 0 at full volume). */
export function plainTrackTail(width: number, height: number): Uint8Array {
  const tail = new Uint8Array(TAIL)
  const view = new DataView(tail.buffer)
  if (width === 0) view.setUint16(12, 0x0100)
  view.setUint32(16, 0x0001_0000)
  view.setUint32(32, 0x0001_0000)
  view.setUint32(48, 0x4000_0000)
  view.setUint16(52, width)
  view.setUint16(56, height)
  return tail
}

/** Reads the header; undefined when it is cut before its duration. */
export function parseTrackHeader(reader: ByteReader, box: Box): TrackHeader | undefined {
  const wide = versionOf(reader, box) === 1
  const at = bodyOf(box) + 4
  const after = at + (wide ? 32 : 20)
  if (after > box.end) return undefined
  const tail = plainTrackTail(0, 0)
  if (after + TAIL <= box.end) reader.copyTo(after, tail)
  return {
    flags: flagsOf(reader, box),
    creation: wide ? reader.u64(at) : reader.u32(at),
    modification: wide ? reader.u64(at + 8) : reader.u32(at + 4),
    id: reader.u32(at + (wide ? 16 : 8)),
    duration: wide ? reader.u64(at + 24) : reader.u32(at + 16),
    tail,
  }
}

export function writeTrackHeader(writer: BoxWriter, header: TrackHeader): void {
  const wide =
    header.duration > 0xffff_ffff || header.creation > 0xffff_ffff || header.modification > 0xffff_ffff
  writer.fullBox('tkhd', wide ? 1 : 0, header.flags, () => {
    writer.number(header.creation, wide)
    writer.number(header.modification, wide)
    writer.u32(header.id)
    writer.u32(0)
    writer.number(header.duration, wide)
    writer.raw(header.tail)
  })
}

/** Width and height of presentation in pixels (16.16 rounded), 0 for sound. */
export function trackSize(header: TrackHeader): { width: number; height: number } {
  const view = new DataView(header.tail.buffer, header.tail.byteOffset, TAIL)
  return { width: Math.round(view.getUint32(52) / 65536), height: Math.round(view.getUint32(56) / 65536) }
}
