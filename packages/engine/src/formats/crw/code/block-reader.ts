import type { BlockCodes } from './trees.ts'

/** Values of a block. */
export const BLOCK = 64
const ESCAPE = 0xff

/** Reads blocks of differences out of bits, the highest first. Bytes are without the zeros that stand behind each 0xff. */
export class BlockReader {
  readonly #bytes: Uint8Array
  readonly #codes: BlockCodes
  /** The next bit. */
  position: number
  /** Differences of the block read last. */
  readonly values = new Int32Array(BLOCK)

  constructor(bytes: Uint8Array, codes: BlockCodes, position: number) {
    this.#bytes = bytes
    this.#codes = codes
    this.position = position
  }

  get size(): number {
    return this.#bytes.length * 8
  }

  /** Reads one block; false where the bits cannot be one, or end in it. */
  read(): boolean {
    const { values } = this
    values.fill(0)
    for (let i = 0; i < BLOCK; i++) {
      const word = (i === 0 ? this.#codes.first : this.#codes.further).look(this.#peek(16))
      if (word === 0) return false
      this.position += word >> 8
      const symbol = word & 0xff
      if (symbol === 0 && i > 0) break
      if (symbol === ESCAPE) continue
      i += symbol >> 4
      const length = symbol & 15
      if (length === 0) continue
      if (i >= BLOCK) return false
      const bits = this.#peek(length)
      this.position += length
      values[i] = bits < 1 << (length - 1) ? bits - (1 << length) + 1 : bits
    }
    return this.position <= this.size
  }

  #peek(count: number): number {
    const at = this.position >> 3
    const bytes = this.#bytes
    const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    return (word >> (24 - (this.position & 7) - count)) & ((1 << count) - 1)
  }
}
