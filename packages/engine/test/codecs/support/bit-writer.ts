/** Writes bits, most significant first. */
export class BitWriter {
  readonly #bytes: number[] = []
  /** Bits written so far. */
  position = 0

  /** The `count` low bits of `value`, 0 to 32. */
  put(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit--) {
      if (this.position % 8 === 0) this.#bytes.push(0)
      if (Math.floor(value / 2 ** bit) % 2 === 1)
        this.#bytes[this.#bytes.length - 1] |= 128 >> (this.position % 8)
      this.position++
    }
    return this
  }

  /** Fills the byte up with zeros. */
  align(): this {
    return this.put(0, (8 - (this.position % 8)) % 8)
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }
}
