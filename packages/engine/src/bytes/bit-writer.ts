import { BitReader } from './bit-reader.ts'

/** Writes bits, most significant first, into a growing array: parameter sets and other small structures. */
export class BitWriter {
  readonly #bytes: number[] = []
  #filled = 0

  /** Bits written. */
  get length(): number {
    return this.#filled
  }

  /** What was written, filled up with zeros to a byte. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }

  /** `count` bits of `value`, 0 to 32. */
  bits(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.bit(Math.floor(value / 2 ** i) % 2)
  }

  bit(value: number): void {
    if (this.#filled % 8 === 0) this.#bytes.push(0)
    if (value === 1) this.#bytes[this.#bytes.length - 1] |= 0x80 >> (this.#filled & 7)
    this.#filled++
  }

  /** Unsigned Exp-Golomb code, ITU-T H.264 (08/2021) §9.1. */
  ue(value: number): void {
    const code = value + 1
    const length = Math.floor(Math.log2(code))
    this.bits(0, length)
    this.bits(code, length + 1)
  }

  se(value: number): void {
    this.ue(value > 0 ? 2 * value - 1 : -2 * value)
  }

  /** Bits [from, to) of other bytes as they are. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    const reader = new BitReader(bytes, from)
    for (let i = from; i < to; i++) this.bit(reader.bit())
  }

  /** The trailing bit and zeros up to the next byte. */
  trailing(): Uint8Array {
    this.bit(1)
    return this.bytes()
  }
}
