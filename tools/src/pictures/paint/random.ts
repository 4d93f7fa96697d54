/** A small deterministic generator, so that every run paints the same picture. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1
    for (let i = 0; i < 4; i++) this.next()
  }

  /** Uniform in [0, 1). */
  next(): number {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x >>> 0
    return this.#state / 4294967296
  }
}
