import { widened } from '../../bytes/columns.ts'

/** Bytes being written one after another, little-endian, into an array that grows. */
export class ByteList {
  #bytes: Uint8Array
  #length = 0

  /** @param room bytes that it has room for at first */
  constructor(room = 1024) {
    this.#bytes = new Uint8Array(room)
  }

  get length(): number {
    return this.#length
  }

  text(characters: string): this {
    for (let i = 0; i < characters.length; i++) this.u8(characters.charCodeAt(i))
    return this
  }

  u8(value: number): this {
    this.#need(1)
    this.#bytes[this.#length++] = value
    return this
  }

  u16(value: number): this {
    return this.u8(value & 0xff).u8((value >>> 8) & 0xff)
  }

  u32(value: number): this {
    this.#need(4)
    const bytes = this.#bytes
    const at = this.#length
    bytes[at] = value
    bytes[at + 1] = value >>> 8
    bytes[at + 2] = value >>> 16
    bytes[at + 3] = value >>> 24
    this.#length = at + 4
    return this
  }

  u64(value: number): this {
    return this.u32(value % 0x1_0000_0000).u32(Math.floor(value / 0x1_0000_0000))
  }

  bytes(bytes: Uint8Array): this {
    this.#need(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  /** A chunk with its header and the byte that makes its length even. */
  chunk(id: string, body: Uint8Array): this {
    this.text(id).u32(body.length).bytes(body)
    return body.length & 1 ? this.u8(0) : this
  }

  /** A list of chunks. */
  list(id: 'LIST' | 'RIFF', type: string, body: Uint8Array): this {
    return this.text(id)
      .u32(body.length + 4)
      .text(type)
      .bytes(body)
  }

  /** The bytes so far as a view, valid until more are written. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Begins anew, in the same memory. */
  clear(): this {
    this.#length = 0
    return this
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #need(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    this.#bytes = widened(this.#bytes, Math.max(this.#bytes.length * 2, this.#length + more))
  }
}
