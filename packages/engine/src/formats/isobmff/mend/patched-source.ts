import { PatchedSource } from '../../../bytes/patched-source.ts'
import { ByteReader } from '../../../bytes/reader.ts'

/** Bytes of a file as they should be, collected while it is read: what is put in is read from then on. */
export class Patches {
  readonly #reader: ByteReader
  readonly #bytes = new Map<number, number>()

  constructor(reader: ByteReader) {
    this.#reader = reader
  }

  /** Bytes of the file. */
  get size(): number {
    return this.#reader.size
  }

  u8(offset: number): number {
    return this.#bytes.get(offset) ?? this.#reader.u8(offset)
  }

  u32(offset: number): number {
    if (this.#bytes.size === 0) return this.#reader.u32(offset)
    let value = 0
    for (let i = 0; i < 4; i++) value = value * 256 + this.u8(offset + i)
    return value
  }

  fourcc(offset: number): string {
    return String.fromCharCode(this.u8(offset), this.u8(offset + 1), this.u8(offset + 2), this.u8(offset + 3))
  }

  put8(offset: number, value: number): void {
    this.#bytes.set(offset, value & 0xff)
  }

  put32(offset: number, value: number): void {
    for (let i = 0; i < 4; i++) this.put8(offset + i, Math.floor(value / 2 ** (24 - 8 * i)))
  }

  putFourcc(offset: number, type: string): void {
    for (let i = 0; i < 4; i++) this.put8(offset + i, type.charCodeAt(i))
  }

  /** The file with all that was put in. */
  reader(): ByteReader {
    return this.#bytes.size === 0
      ? this.#reader
      : new ByteReader(new PatchedSource(this.#reader.source, this.#bytes), this.#reader.work)
  }
}
