import type { ByteReader } from '../../../bytes/reader.ts'
import type { ChunkTable } from '../read/chunk-table.ts'

/** Bytes of sound that are listened to, and of a header at the most. */
const HEARD = 128 * 1024
const HEADER = 8
/** Share of the bytes that have to be in frames one behind another. */
const MOST = 0.8

/**
 * Headers of frames that follow each other across chunks, as writers of sound at a constant rate cut it at any byte; none where
 * they explain less than most of the bytes.
 * @param headAt the header at a place of some bytes, undefined where none is
 */
export function framesAcross<Head extends { readonly length: number }>(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
  headAt: (bytes: Uint8Array, at: number) => Head | undefined,
): readonly Head[] {
  const bytes = firstBytes(reader, chunks, rows)
  const heads: Head[] = []
  let explained = 0
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const head = headAt(bytes, at)
    const next = at + (head?.length ?? 0)
    // where another one follows, or the end of what is listened to
    if (head && next > at && (next + HEADER > bytes.length || headAt(bytes, next))) {
      heads.push(head)
      explained += Math.min(next, bytes.length) - at
      at = next
    } else at++
  }
  return explained >= bytes.length * MOST ? heads : []
}

function firstBytes(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(HEARD)
  let length = 0
  for (const row of rows) {
    const part = Math.min(chunks.size[row], HEARD - length)
    if (part === 0) break
    bytes.set(reader.bytes(chunks.offset[row], part), length)
    length += part
  }
  return bytes.subarray(0, length)
}
