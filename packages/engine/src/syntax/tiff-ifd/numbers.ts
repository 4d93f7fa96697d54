import type { ByteReader } from '../../bytes/reader.ts'

/** Numbers of a TIFF file in its byte order, TIFF 6.0 §2. Past the end they read as zero. */
export class TiffNumbers {
  readonly reader: ByteReader
  readonly little: boolean

  constructor(reader: ByteReader, little: boolean) {
    this.reader = reader
    this.little = little
  }

  u16(offset: number): number {
    return this.little ? this.reader.u16le(offset) : this.reader.u16(offset)
  }

  u32(offset: number): number {
    return this.little ? this.reader.u32le(offset) : this.reader.u32(offset)
  }

  u64(offset: number): number {
    return this.little ? this.reader.u64le(offset) : this.reader.u64(offset)
  }
}
