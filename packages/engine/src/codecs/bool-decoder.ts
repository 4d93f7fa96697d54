/** More padding than this no encoder writes. */
const MOST_PADDING = 256

/** The boolean decoder of VP8, RFC 6386 §7, and VP9, VP9 Bitstream & Decoding Process Specification v0.6 §9.2. */
export class BoolDecoder {
  readonly #bytes: Uint8Array
  #value: number
  #range = 255
  /** Bits taken from `bytes`. */
  #taken = 8

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#value = bytes[0]
  }

  /** More was read than there is. */
  get overrun(): boolean {
    return this.#taken > this.#bytes.length * 8
  }

  /** One bit whose probability of being 0 is `probability`/256. */
  bool(probability: number): number {
    const split = 1 + (((this.#range - 1) * probability) >> 8)
    const bit = this.#value >= split ? 1 : 0
    if (bit === 1) {
      this.#range -= split
      this.#value -= split
    } else this.#range = split
    while (this.#range < 128) {
      const next = (this.#bytes[this.#taken >> 3] >> (7 - (this.#taken & 7))) & 1
      this.#taken++
      this.#range *= 2
      this.#value = this.#value * 2 + next
    }
    return bit
  }

  /** A number of `count` evenly distributed bits. */
  literal(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.bool(128)
    return value
  }

  /** Whether what was not taken is zero, as the padding at the end must be. */
  padded(): boolean {
    if (this.overrun) return false
    let at = this.#taken >> 3
    const within = this.#taken & 7
    if (within > 0 && (this.#bytes[at++] & (0xff >> within)) !== 0) return false
    if (this.#bytes.length - at > MOST_PADDING) return false
    for (; at < this.#bytes.length; at++) if (this.#bytes[at] !== 0) return false
    return true
  }
}
