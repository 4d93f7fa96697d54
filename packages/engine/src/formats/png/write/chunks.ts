import type { Part } from '../../../bytes/parts.ts'
import { type Chunk, chunkBytes, chunkEnd, SIGNATURE, u32 } from '../read/chunk.ts'
import { SEQUENCE } from '../read/frames.ts'

/** A chunk of the result: one of the damaged file as it stands, or a new one. */
export type NewChunk = { readonly kept: Chunk } | { readonly type: string; readonly data: Uint8Array }

/** Data of a chunk that is put together anew: readers take them in one piece. */
const LONGEST_DATA = 1 << 24

/** Image data as chunks of a type; those of a frame begin with a number, which is set later. */
export function dataChunks(type: 'IDAT' | 'fdAT', data: Uint8Array): NewChunk[] {
  const chunks: NewChunk[] = []
  for (let at = 0; at < data.length; at += LONGEST_DATA) {
    const part = data.subarray(at, at + LONGEST_DATA)
    const body = new Uint8Array(type === 'fdAT' ? SEQUENCE + part.length : part.length)
    body.set(part, body.length - part.length)
    chunks.push({ type, data: body })
  }
  return chunks
}

/** A whole file of chunks: what controls frames of an animation is numbered in its order, PNG (Third Edition) §11.3.6. */
export function fileParts(
  bytes: Uint8Array,
  chunks: readonly NewChunk[],
  signature: boolean,
  trailing: number,
): Part[] {
  const parts: Part[] = [signature ? { offset: 0, length: SIGNATURE.length } : SIGNATURE]
  let sequence = 0
  for (const chunk of chunks) {
    const old = 'kept' in chunk ? chunk.kept : undefined
    const type = 'kept' in chunk ? chunk.kept.type : chunk.type
    const data =
      'kept' in chunk ? bytes.subarray(chunk.kept.body, chunk.kept.body + chunk.kept.length) : chunk.data
    const numbered = (type === 'fcTL' || type === 'fdAT') && data.length >= SEQUENCE
    const number = numbered ? sequence++ : 0
    if (old && (!numbered || u32(data, 0) === number)) {
      const last = parts.at(-1)
      const length = chunkEnd(old) - old.offset
      if (last && !(last instanceof Uint8Array) && last.offset + last.length === old.offset)
        parts[parts.length - 1] = { offset: last.offset, length: last.length + length }
      else parts.push({ offset: old.offset, length })
      continue
    }
    if (!numbered) parts.push(chunkBytes(type, data))
    else {
      const first = new Uint8Array(SEQUENCE)
      new DataView(first.buffer).setUint32(0, number)
      parts.push(chunkBytes(type, first, data.subarray(SEQUENCE)))
    }
  }
  if (trailing < bytes.length) parts.push({ offset: trailing, length: bytes.length - trailing })
  return parts
}
