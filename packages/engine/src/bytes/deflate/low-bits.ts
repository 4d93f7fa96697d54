/** Bits of bytes, the lowest first, RFC 1951 §3.1.1. Past the end they read as zero, and `cut` tells. */
export class LowBits {
  readonly #bytes: Uint8Array
  #next: number
  #held = 0
  #count = 0

  /** @param from bit to begin with */
  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes
    this.#next = 0
    this.seek(from)
  }

  /** Goes to a bit. */
  seek(position: number): void {
    this.#next = Math.floor(position / 8)
    this.#held = 0
    this.#count = 0
    this.take(position % 8)
  }

  /** Offset of the next bit. */
  get position(): number {
    return this.#next * 8 - this.#count
  }

  /** True once more bits were taken than there are. */
  get cut(): boolean {
    return this.position > this.#bytes.length * 8
  }

  /** The next `count` bits, up to 16, without taking them. */
  peek(count: number): number {
    while (this.#count < count) {
      this.#held |= (this.#bytes[this.#next++] ?? 0) << this.#count
      this.#count += 8
    }
    return this.#held & ((1 << count) - 1)
  }

  /** Takes `count` bits that were looked at. */
  skip(count: number): void {
    this.#held >>>= count
    this.#count -= count
  }

  /** The next `count` bits, up to 16. */
  take(count: number): number {
    const value = this.peek(count)
    this.skip(count)
    return value
  }

  alignToByte(): void {
    this.#next -= this.#count >> 3
    this.#held = 0
    this.#count = 0
  }

  /** Up to `count` bytes from here on, where a byte begins. */
  takeBytes(count: number): Uint8Array {
    this.alignToByte()
    const at = this.#next
    this.#next += count
    return this.#bytes.subarray(at, at + count)
  }
}
