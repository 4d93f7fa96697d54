import type { ByteReader } from './reader.ts'

/** Bytes whose little-endian numbers are read at any offset; past the end they read as zero. */
export type LittleEndian = Pick<ByteReader, 'size' | 'u8' | 'u16le' | 'u32le'>

/** Bytes in memory that may change between two looks: a `ByteReader` would keep a copy of them. */
export class PlainBytes implements LittleEndian {
  readonly size: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.size = bytes.length
  }

  u8(offset: number): number {
    return offset >= 0 && offset < this.size ? this.#bytes[offset] : 0
  }

  u16le(offset: number): number {
    return this.u8(offset) | (this.u8(offset + 1) << 8)
  }

  u32le(offset: number): number {
    return (this.u16le(offset) | (this.u16le(offset + 2) << 16)) >>> 0
  }
}
