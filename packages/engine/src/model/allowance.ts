/**
 * Steps of work that a search may take, so that its time stays in proportion to the bytes whatever they say. Steps are counted, not
 * timed: the same bytes give the same result on every machine.
 */
export class Allowance {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  /** Adds steps, for what was found since. */
  grant(steps: number): void {
    this.#left += steps
  }

  /** Takes steps before the work they stand for; false, from then on, when there are not so many left. */
  take(steps = 1): boolean {
    this.#left -= steps
    return this.#left >= 0
  }
}
