/** Bytes that come in many pieces, one behind the other, in room of their own that grows with them. */
export class Gathered {
  #room = new Uint8Array(256)
  #used = 0

  /** Appends a copy. */
  add(bytes: Uint8Array): void {
    const used = this.#used + bytes.length
    if (used > this.#room.length) {
      const wider = new Uint8Array(Math.max(this.#room.length * 2, used))
      wider.set(this.bytes())
      this.#room = wider
    }
    this.#room.set(bytes, this.#used)
    this.#used = used
  }

  /** Leaves out the first `count`. */
  drop(count: number): void {
    this.#room.copyWithin(0, count, this.#used)
    this.#used -= count
  }

  get length(): number {
    return this.#used
  }

  /** All of them: a view, valid until the next change. */
  bytes(): Uint8Array {
    return this.#room.subarray(0, this.#used)
  }
}
