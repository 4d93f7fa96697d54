import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'

/** A frame in bytes of its own, or in the file's. */
export interface Frame {
  readonly reader: ByteReader
  readonly offset: number
  readonly size: number
}

/** A frame behind the bytes that all of its track begin with and blocks leave out, RFC 9559 §5.1.4.1.31.6. */
export function restoredFrame(reader: ByteReader, front: Uint8Array, offset: number, size: number): Frame {
  const whole = new Uint8Array(front.length + size)
  whole.set(front)
  whole.set(reader.bytes(offset, size), front.length)
  return { reader: new ByteReader(new MemorySource(whole), reader.work), offset: 0, size: whole.length }
}
