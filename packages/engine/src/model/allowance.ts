/**
 * Steps of work that a search may take, so that its time stays in proportion to the bytes whatever they say. Steps are counted,
 * not timed: the same bytes give the same result on every machine.
 */
export class Allowance {
  #left: number
  readonly #whole: Allowance | undefined
  readonly #price: number

  /**
   * @param steps that may be taken
   * @param whole what all searches of a file may take together, of which this is a part
   * @param price of a step, in steps of the whole
   */
  constructor(steps: number, whole?: Allowance, price = 1) {
    this.#left = steps
    this.#whole = whole
    this.#price = price
  }

  /** Adds steps, for what was found since. */
  grant(steps: number): void {
    this.#left += steps
  }

  /** Takes steps before the work they stand for; false, from then on, when there are not so many left, here or in the whole. */
  take(steps = 1): boolean {
    this.#left -= steps
    if (this.#left < 0) return false
    return this.#whole === undefined || this.#whole.take(steps * this.#price)
  }

  /** Steps that may still be taken, here. */
  get left(): number {
    return Math.max(0, this.#left)
  }

  /** More was asked for than there was: what was searched may have ended early. */
  get spent(): boolean {
    return this.#left < 0
  }
}
