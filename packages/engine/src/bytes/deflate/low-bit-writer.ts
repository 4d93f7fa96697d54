const FIRST_ROOM = 1 << 12

/** Writes bits, the lowest first, RFC 1951 §3.1.1, into an array that grows. */
export class LowBitWriter {
  #bytes = new Uint8Array(FIRST_ROOM)
  #length = 0
  #held = 0
  #count = 0

  /** Bits written. */
  get position(): number {
    return this.#length * 8 + this.#count
  }

  /** The lowest `count` bits of `value`, up to 16. */
  put(value: number, count: number): void {
    this.#held |= value << this.#count
    this.#count += count
    while (this.#count >= 8) {
      this.#byte(this.#held & 255)
      this.#held >>>= 8
      this.#count -= 8
    }
  }

  /** Whole bytes, from the next one on. */
  putBytes(bytes: Uint8Array): void {
    this.alignToByte()
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  alignToByte(): void {
    if (this.#count > 0) this.put(0, 8 - this.#count)
  }

  /** What was written, up to the next byte. */
  bytes(): Uint8Array {
    this.alignToByte()
    return this.#bytes.slice(0, this.#length)
  }

  #byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#length + count, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}
