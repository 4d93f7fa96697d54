import type { ByteReader } from '../../../bytes/reader.ts'

const LEAST_RECORD = 6
const MOST_RECORDS = 256

/**
 * Bytes of the records of timed metadata from an offset on, as many as follow each other: each begins with its size and its type.
 * Canon CR3 as described by L. Clévy, "CTMD".
 */
export function metadataBytes(reader: ByteReader, start: number, most: number): number {
  let at = start
  for (let count = 0; count < MOST_RECORDS && at + LEAST_RECORD <= start + most; count++) {
    const size = reader.u32le(at)
    if (
      size < LEAST_RECORD ||
      at + size > start + most ||
      at + size > reader.size ||
      reader.u16le(at + 4) > 255
    )
      break
    at += size
  }
  return at - start
}

/** One record that fills so many bytes and says nothing. */
export function emptyMetadata(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  if (size >= LEAST_RECORD) new DataView(bytes.buffer).setUint32(0, size, true)
  return bytes
}
