import { widened } from '../../../bytes/columns.ts'
import type { BlockCodes } from './trees.ts'

/** Writes bits, the highest first, and puts a zero behind each 0xff at the end. */
export class BlockWriter {
  readonly #codes: BlockCodes
  #bytes: Uint8Array
  #bits = 0

  constructor(codes: BlockCodes, room: number) {
    this.#codes = codes
    this.#bytes = new Uint8Array(room)
  }

  /** A block whose first value differs by so much from the carried one, and the others by nothing. */
  flat(difference: number): boolean {
    const length = 32 - Math.clz32(Math.abs(difference))
    const symbol = this.#codes.first.wordOf(length)
    const end = this.#codes.further.wordOf(0)
    if (!symbol || !end) return false
    this.put(symbol.word, symbol.length)
    if (length > 0) this.put(difference < 0 ? difference + (1 << length) - 1 : difference, length)
    this.put(end.word, end.length)
    return true
  }

  /** Appends up to 16 bits. */
  put(value: number, count: number): void {
    this.#grow(count)
    for (let i = count - 1; i >= 0; i--, this.#bits++)
      if ((value >> i) & 1) this.#bytes[this.#bits >> 3] |= 0x80 >> (this.#bits & 7)
  }

  /** Appends the bits [from, to) of bytes. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    this.#grow(to - from)
    let at = from
    while (at < to) {
      const count = Math.min(8, to - at)
      const word = ((bytes[at >> 3] ?? 0) << 8) | (bytes[(at >> 3) + 1] ?? 0)
      const value = ((word >> (8 - (at & 7))) & 0xff) >> (8 - count)
      this.put(value, count)
      at += count
    }
  }

  #grow(bits: number): void {
    const wanted = (this.#bits + bits + 7) >> 3
    if (wanted <= this.#bytes.length) return
    this.#bytes = widened(this.#bytes, wanted * 2)
  }

  /** All that was written, filled up with ones, with the marker that ends it, and a zero where its length would be odd. */
  end(): Uint8Array {
    while (this.#bits % 8 !== 0) this.put(1, 1)
    const out: number[] = []
    for (const byte of this.#bytes.subarray(0, this.#bits >> 3)) {
      out.push(byte)
      if (byte === 0xff) out.push(0)
    }
    out.push(0xff, 0xd9)
    if (out.length % 2 === 1) out.push(0)
    return Uint8Array.from(out)
  }
}
