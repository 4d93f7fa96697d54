import { widened } from '../../bytes/columns.ts'

/** Bits of entropy-coded data, with a zero stuffed behind each byte FF, ITU-T T.81 §F.1.2.3. */
export class BitSink {
  #bytes: Uint8Array
  #length = 0
  #held = 0
  #count = 0

  /** `expected`: bytes that will about be needed. */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(Math.max(expected, 1 << 12))
  }

  /** Appends the low `count` bits of `value`, at most 16. */
  put(value: number, count: number): void {
    this.#held = (this.#held << count) | (value & ((1 << count) - 1))
    this.#count += count
    while (this.#count >= 8) {
      this.#count -= 8
      this.#byte((this.#held >>> this.#count) & 0xff)
    }
    this.#held &= (1 << this.#count) - 1
  }

  /** Fills the last byte up with ones. */
  align(): void {
    if (this.#count > 0) this.put(0xff, 8 - this.#count)
  }

  /** Aligns, then appends a marker. */
  marker(code: number): void {
    this.align()
    this.#room(2)
    this.#bytes[this.#length++] = 0xff
    this.#bytes[this.#length++] = code
  }

  /** Everything written, aligned. */
  bytes(): Uint8Array {
    this.align()
    return this.#bytes.subarray(0, this.#length)
  }

  #byte(value: number): void {
    this.#room(2)
    this.#bytes[this.#length++] = value
    if (value === 0xff) this.#bytes[this.#length++] = 0
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    this.#bytes = widened(this.#bytes, this.#bytes.length * 2)
  }
}
