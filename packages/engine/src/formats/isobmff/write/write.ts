import { RangeWriter } from '../../../bytes/range-writer.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { type ByteSink, isSeekable } from '../../../bytes/sink.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { writeFileType } from '../../../syntax/iso-boxes/ftyp.ts'
import { mediaDataHeader, mediaDataHeaderSize } from '../boxes/mdat.ts'
import type { Movie } from '../read/movie.ts'
import type { EarlyCopy } from './copy-ahead.ts'
import type { WritePlan } from './plan.ts'
import { type Pieces, planChunks } from './plan-chunks.ts'
import { buildMovieBox } from './write-moov.ts'

/** Offsets beyond this take 64 bits. */
const MAX_32 = 0xffff_ffff
/** Bytes of the copy made early between two looks at how far it is. */
const STEP = 4 * 1024 * 1024

/**
 * Writes a plain file: `ftyp`, `moov`, `mdat`, the index in front so that play starts before the file is whole.
 * Payload is copied from `reader` in pieces of megabytes; what `early` has copied stays where it is, free space between it and
 * the index. @returns bytes written.
 * @throws EnvironmentError when reading or writing fails; AbortedError when the monitor says so.
 */
export async function writeMovie(
  plan: WritePlan,
  reader: ByteReader,
  sink: ByteSink,
  monitor: Monitor,
  early?: EarlyCopy,
): Promise<number> {
  if (isSeekable(sink)) await sink.hold()
  const chunks = planChunks(plan)
  const fileType = plan.fileType ?? plan.movie.fileType ?? fittingFileType(plan.movie)
  const header = mediaDataHeaderSize(chunks.payload)
  const front = early?.front ?? 0
  const wide = front + chunks.payload > MAX_32
  let movie = buildMovieBox(plan, chunks, wide, fileType.length)
  let base = fileType.length + movie.bytes.length + header
  if (!wide && base + chunks.payload > MAX_32) {
    movie = buildMovieBox(plan, chunks, true, fileType.length)
    base = fileType.length + movie.bytes.length + header
  }
  if (early && front > 0 && isSeekable(sink)) {
    const free = front - base
    if (free >= FREE_HEADER) {
      const there = early.matching(chunks.pieces)
      while (sink.pending > 0) {
        await sink.settled(Math.max(0, sink.pending - STEP))
        monitor.progress('write', Math.max(0, there - sink.pending) / chunks.payload)
        await monitor.pause()
      }
      await sink.seek(front + there)
      await copyPieces(behind(chunks.pieces, there), chunks.payload - there, reader, sink, monitor)
      movie.place(front)
      await sink.seek(early.unwanted.offset)
      sink.write(new Uint8Array(early.unwanted.length))
      await sink.seek(0)
      sink.write(fileType)
      sink.write(movie.bytes)
      sink.write(freeHeader(free))
      await sink.seek(front - header)
      sink.write(mediaDataHeader(chunks.payload))
      await sink.seek(front + chunks.payload)
      monitor.progress('write', 1)
      return front + chunks.payload
    }
    await early.discard()
  }
  movie.place(base)
  sink.write(fileType)
  sink.write(movie.bytes)
  sink.write(mediaDataHeader(chunks.payload))
  await copyPieces(chunks.pieces, chunks.payload, reader, sink, monitor)
  monitor.progress('write', 1)
  return base + chunks.payload
}

const FREE_HEADER = 8

/** The header of free space of `bytes`, header included; the space itself is zeros that need not be written. */
function freeHeader(bytes: number): Uint8Array {
  const header = new Uint8Array(FREE_HEADER)
  const view = new DataView(header.buffer)
  view.setUint32(0, bytes)
  view.setUint32(4, 0x66726565)
  return header
}

/** The pieces without their first `bytes`. */
function behind(pieces: Pieces, bytes: number): Pieces {
  let first = 0
  let left = bytes
  while (first < pieces.length && pieces.bytes[first] <= left) left -= pieces.bytes[first++]
  const offset = pieces.offset.slice(first, pieces.length)
  const lengths = pieces.bytes.slice(first, pieces.length)
  if (first < pieces.length && left > 0) {
    if (offset[0] >= 0) offset[0] += left
    lengths[0] -= left
  }
  return { length: pieces.length - first, offset, bytes: lengths }
}

async function copyPieces(
  pieces: Pieces,
  total: number,
  reader: ByteReader,
  sink: ByteSink,
  monitor: Monitor,
): Promise<void> {
  const writer = new RangeWriter(reader, sink, monitor, total)
  for (let i = 0; i < pieces.length; i++) {
    const from = pieces.offset[i]
    if (from < 0) await writer.fill(-1 - from, pieces.bytes[i])
    else await writer.copy(from, pieces.bytes[i])
  }
  await writer.end()
}

/** A file type for movies whose own was lost: QuickTime when a handler says so, else the common MP4 brands. */
export function fittingFileType(movie: Movie): Uint8Array {
  const writer = new BoxWriter()
  const quicktime = movie.tracks.some((track) => {
    const at = track.handler
    return at.length >= 16 && at[12] === 0x6d && at[13] === 0x68 && at[14] === 0x6c && at[15] === 0x72
  })
  if (quicktime) writeFileType(writer, { major: 'qt  ', minor: 0x2005_0300, compatible: ['qt  '] })
  else writeFileType(writer, { major: 'isom', minor: 0x200, compatible: ['isom', 'iso2', 'mp41'] })
  return writer.bytes().slice()
}
