import type { ByteReader } from '../../../bytes/reader.ts'
import { type Chunk, chunkAt, chunksIn, padded } from '../../../syntax/riff/chunk.ts'
import { type AviStream, readStream } from './stream.ts'

/** The list `hdrl`: what a file says of itself before its data. */
export interface AviHeader {
  /** Body of `avih`. */
  readonly main: Uint8Array
  readonly totalFrames: number
  readonly microsPerFrame: number
  readonly streams: readonly AviStream[]
  /** Lists behind `hdrl` and in front of the data that are to be kept, such as `INFO`. */
  readonly others: readonly Uint8Array[]
}

const MAX_CHUNKS = 256
const MAIN_BYTES = 56
/** Longest list in front of the data that is kept. */
const MAX_OTHER = 1024 * 1024
/** Bytes from the start in which a header that nothing leads to is looked for. */
const SEARCHED = 64 * 1024

/** Whether a file begins as an AVI file. */
export function beginsAsAvi(reader: ByteReader): boolean {
  return reader.fourcc(0) === 'RIFF' && (reader.fourcc(8) === 'AVI ' || reader.fourcc(8) === 'AVIX')
}

/** Reads the header, found by the chunks in front of it, else by its own characters; undefined where none is whole. */
export function readHeader(reader: ByteReader, limit: number): AviHeader | undefined {
  const list = findHeader(reader)
  if (!list) return undefined
  const end = Math.min(list.end, reader.size)
  let main: Uint8Array | undefined
  const streams: AviStream[] = []
  let numbered = 0
  for (const part of chunksIn(reader, list.body, end, MAX_CHUNKS)) {
    if (part.id === 'avih') main = reader.bytes(part.body, part.end - part.body).slice()
    if (part.id !== 'LIST' || part.type !== 'strl' || streams.length >= limit) continue
    const stream = readStream(reader, part, end, numbered++)
    if (stream) streams.push(stream)
  }
  if (!main || main.length < MAIN_BYTES || streams.length === 0) return undefined
  const view = new DataView(main.buffer)
  return {
    main,
    totalFrames: view.getUint32(16, true),
    microsPerFrame: view.getUint32(0, true),
    streams,
    others: othersBehind(reader, padded(end)),
  }
}

function findHeader(reader: ByteReader): Chunk | undefined {
  const first = chunkAt(reader, 12)
  if (beginsAsAvi(reader) && first?.type === 'hdrl') return first
  // flipped bits in front of it, or bytes put in or taken out
  const until = Math.min(reader.size, SEARCHED)
  for (let at = 0; at + 12 <= until; at++) {
    if (reader.u32(at + 8) !== HDRL) continue
    const list = chunkAt(reader, at)
    const known = list && list.id === 'LIST' ? list.end : at + 12 + MAX_HEADER
    if (reader.fourcc(at + 12) === 'avih')
      return { id: 'LIST', type: 'hdrl', offset: at, body: at + 12, end: Math.min(known, reader.size) }
  }
  return undefined
}

/** `hdrl` as the reader's big-endian number. */
const HDRL = 0x6864_726c
const MAX_HEADER = 64 * 1024

function othersBehind(reader: ByteReader, from: number): Uint8Array[] {
  const others: Uint8Array[] = []
  for (let at = from; others.length < MAX_CHUNKS; ) {
    const chunk = chunkAt(reader, at)
    if (chunk?.id !== 'LIST' || chunk.type === 'movi' || chunk.type === 'rec ') {
      if (chunk?.id !== 'JUNK' || chunk.end > reader.size) break
      at = padded(chunk.end)
      continue
    }
    if (chunk.end > reader.size || chunk.end - at > MAX_OTHER) break
    others.push(reader.bytes(at, padded(chunk.end) - at).slice())
    at = padded(chunk.end)
  }
  return others
}
