/**
 * Bits of a byte array, most significant first. Reading past the end yields zeros and sets `overrun`, so that a
 * parser of hostile bytes needs one check at its end instead of one a field.
 */
export class BitReader {
  #bytes: Uint8Array
  /** Position in bits from the start of the array. */
  position: number
  #end: number

  constructor(bytes: Uint8Array, position = 0, end = bytes.length * 8) {
    this.#bytes = bytes
    this.position = position
    this.#end = end
  }

  /** Points the reader at other bytes, so that one reader serves a whole scan. */
  reset(bytes: Uint8Array, position = 0, end = bytes.length * 8): void {
    this.#bytes = bytes
    this.position = position
    this.#end = end
  }

  get overrun(): boolean {
    return this.position > this.#end
  }

  /** Bits left; negative after an overrun. */
  get left(): number {
    return this.#end - this.position
  }

  /** The next `count` bits, 0 to 32, as an unsigned number. */
  bits(count: number): number {
    const value = this.peek(count)
    this.position += count
    return value
  }

  bit(): number {
    const at = this.position++
    if (at >= this.#end) return 0
    return (this.#bytes[at >> 3] >> (7 - (at & 7))) & 1
  }

  skip(count: number): void {
    this.position += count
  }

  /** The next `count` bits, 0 to 32, without moving. */
  peek(count: number): number {
    if (count === 0) return 0
    const at = this.position
    if (at >= this.#end) return 0
    const byte = at >> 3
    const bytes = this.#bytes
    const shift = at & 7
    const high =
      (((bytes[byte] ?? 0) << 24) |
        ((bytes[byte + 1] ?? 0) << 16) |
        ((bytes[byte + 2] ?? 0) << 8) |
        (bytes[byte + 3] ?? 0)) >>>
      0
    let word = high
    if (shift > 0) word = ((high << shift) | ((bytes[byte + 4] ?? 0) >> (8 - shift))) >>> 0
    return count === 32 ? word : word >>> (32 - count)
  }

  /** Unsigned Exp-Golomb code, ITU-T H.264 (08/2021) §9.1. Codes longer than 32 leading zeros set `overrun`. */
  ue(): number {
    if (this.position + 32 <= this.#end) {
      // nearly all codes, whole in one word
      const word = this.peek(32)
      const zeros = Math.clz32(word)
      if (zeros < 16) {
        this.position += 2 * zeros + 1
        return (word >>> (31 - 2 * zeros)) - 1
      }
    }
    let zeros = 0
    while (this.bit() === 0) {
      zeros++
      if (zeros > 32 || this.position > this.#end) {
        this.position = this.#end + 1
        return 0
      }
    }
    if (zeros === 0) return 0
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  /** Signed Exp-Golomb code, ITU-T H.264 (08/2021) §9.1.1. */
  se(): number {
    const code = this.ue()
    return code & 1 ? (code + 1) / 2 : -(code / 2)
  }
}
