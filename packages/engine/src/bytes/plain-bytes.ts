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
    const bytes = this.#bytes
    if (offset >= 0 && offset + 2 <= bytes.length) return bytes[offset] | (bytes[offset + 1] << 8)
    return this.u8(offset) | (this.u8(offset + 1) << 8)
  }

  u32le(offset: number): number {
    const bytes = this.#bytes
    if (offset >= 0 && offset + 4 <= bytes.length)
      return (
        (bytes[offset] | (bytes[offset + 1] << 8) | (bytes[offset + 2] << 16) | (bytes[offset + 3] << 24)) >>>
        0
      )
    return (this.u16le(offset) | (this.u16le(offset + 2) << 16)) >>> 0
  }
}
