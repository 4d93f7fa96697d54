import { widened } from '../bytes/columns.ts'

const FIRST_ROOM = 1 << 12
/** Bits gathered in front of the first byte. */
const AHEAD = 24
const TOP = 0x1_0000_0000

/**
 * The boolean encoder, RFC 6386 §7.3, writing the least number that the symbols allow: a decoder's window is zero behind the last
 * of them.
 */
export class BoolEncoder {
  #bytes = new Uint8Array(FIRST_ROOM)
  #length = 0
  #range = 255
  /** The lowest number of the interval, less the bytes that are out; below 2^32. */
  #bottom = 0
  /** Shifts up to the next byte. */
  #left = AHEAD

  /** A bit whose probability of being 0 is `probability`/256. */
  put(bit: number, probability: number): void {
    const split = 1 + (((this.#range - 1) * probability) >> 8)
    if (bit === 1) {
      this.#bottom += split
      this.#range -= split
    } else this.#range = split
    if (this.#bottom >= TOP) {
      this.#carry()
      this.#bottom -= TOP
    }
    while (this.#range < 128) {
      this.#range *= 2
      this.#shift()
    }
  }

  /** A number of `count` evenly distributed bits. */
  literal(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.put((value >> i) & 1, 128)
  }

  /** All bytes, the last ones with what was gathered. */
  done(): Uint8Array {
    for (let i = 0; i < 32; i++) this.#shift()
    return this.#bytes.slice(0, this.#length)
  }

  #shift(): void {
    if (this.#bottom >= TOP / 2) {
      this.#carry()
      this.#bottom -= TOP / 2
    }
    this.#bottom *= 2
    if (--this.#left > 0) return
    this.#byte(Math.floor(this.#bottom / 2 ** AHEAD))
    this.#bottom %= 2 ** AHEAD
    this.#left = 8
  }

  #byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#bytes = widened(this.#bytes, this.#length * 2)
    this.#bytes[this.#length++] = value
  }

  /** Adds one to the bytes that are out. */
  #carry(): void {
    let at = this.#length - 1
    while (at >= 0 && this.#bytes[at] === 255) this.#bytes[at--] = 0
    if (at >= 0) this.#bytes[at]++
  }
}
