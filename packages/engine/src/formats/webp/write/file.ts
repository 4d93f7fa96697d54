import type { Part } from '../../../bytes/parts.ts'
import { CHUNK_HEADER, FEATURES_BYTES, FILE_HEADER } from '../read/chunk.ts'
import type { Chunk } from '../read/walk.ts'

/** A chunk with what it holds. */
export function chunkParts(type: string, body: readonly Part[]): Part[] {
  const size = lengthOf(body)
  const header = new Uint8Array(CHUNK_HEADER)
  setText(header, 0, type)
  new DataView(header.buffer).setUint32(4, size, true)
  return size & 1 ? [header, ...body, new Uint8Array(1)] : [header, ...body]
}

/** A chunk of the file as it is meant: with its own header where that was not hit. */
export function keptParts({ type, state, offset, body, length, end }: Chunk): Part[] {
  if (state !== 'right') return chunkParts(type, [{ offset: body, length }])
  const kept = { offset, length: end - offset }
  return length & 1 && end === body + length ? [kept, new Uint8Array(1)] : [kept]
}

export function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

/** The head of a file with so much behind it, RFC 9649 §2.4. */
export function fileHeader(bytes: number): Uint8Array {
  const header = new Uint8Array(FILE_HEADER)
  setText(header, 0, 'RIFF')
  new DataView(header.buffer).setUint32(4, bytes + 4, true)
  setText(header, CHUNK_HEADER, 'WEBP')
  return header
}

/** The body of the features chunk, §2.7. */
export function featuresBytes(flags: number, width: number, height: number): Uint8Array {
  const body = new Uint8Array(FEATURES_BYTES)
  body[0] = flags
  setU24(body, 4, width - 1)
  setU24(body, 7, height - 1)
  return body
}

export function setU24(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 3; i++) bytes[at + i] = (value >> (8 * i)) & 0xff
}

function setText(bytes: Uint8Array, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
}
