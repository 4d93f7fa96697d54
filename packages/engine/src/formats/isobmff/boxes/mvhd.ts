import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, versionOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'

/** Movie header box, ISO/IEC 14496-12:2022 §8.2.2. Times in seconds since 1904-01-01 UTC. */
export interface MovieHeader {
  readonly creation: number
  readonly modification: number
  /** Ticks a second of the movie's durations and edit lists. */
  readonly timescale: number
  readonly duration: number
  /** Rate, volume, matrix, pre-defined (QuickTime: preview, poster, selection) and next track id, 80 bytes verbatim. */
  readonly tail: Uint8Array
}

const TAIL = 80
const IDENTITY_TAIL = new Uint8Array(TAIL)
{
  const view = new DataView(IDENTITY_TAIL.buffer)
  view.setUint32(0, 0x0001_0000)
  view.setUint16(4, 0x0100)
  view.setUint32(16, 0x0001_0000)
  view.setUint32(32, 0x0001_0000)
  view.setUint32(48, 0x4000_0000)
  view.setUint32(76, 0xffff_ffff)
}

/** What a movie header says when nothing else is known. */
export const DEFAULT_MOVIE_HEADER: MovieHeader = {
  creation: 0,
  modification: 0,
  timescale: 1000,
  duration: 0,
  tail: IDENTITY_TAIL,
}

/** Reads the header; undefined when it is cut before its duration or has no timescale. */
export function parseMovieHeader(reader: ByteReader, box: Box): MovieHeader | undefined {
  const wide = versionOf(reader, box) === 1
  const at = bodyOf(box) + 4
  const after = at + (wide ? 28 : 16)
  if (after > box.end) return undefined
  const timescale = reader.u32(at + (wide ? 16 : 8))
  if (timescale === 0) return undefined
  const tail = IDENTITY_TAIL.slice()
  if (after + TAIL <= box.end) reader.copyTo(after, tail)
  return {
    creation: wide ? reader.u64(at) : reader.u32(at),
    modification: wide ? reader.u64(at + 8) : reader.u32(at + 4),
    timescale,
    duration: wide ? reader.u64(at + 20) : reader.u32(at + 12),
    tail,
  }
}

export function writeMovieHeader(writer: BoxWriter, header: MovieHeader): void {
  const wide =
    header.duration > 0xffff_ffff || header.creation > 0xffff_ffff || header.modification > 0xffff_ffff
  writer.fullBox('mvhd', wide ? 1 : 0, 0, () => {
    writer.number(header.creation, wide)
    writer.number(header.modification, wide)
    writer.u32(header.timescale)
    writer.number(header.duration, wide)
    writer.raw(header.tail)
  })
}
