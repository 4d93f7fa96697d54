/** Lets so many works go on at the same time; the others wait in the order they came. */
export class Lanes {
  readonly #count: () => number
  readonly #waiting: (() => void)[] = []
  #open = 0

  /** `count` is asked whenever a lane may be free. */
  constructor(count: () => number) {
    this.#count = count
  }

  /** Does a work when a lane is free. */
  async run(work: () => Promise<void>): Promise<void> {
    if (this.#open >= this.#count()) await new Promise<void>((go) => this.#waiting.push(go))
    this.#open += 1
    try {
      await work()
    } finally {
      this.#open -= 1
      if (this.#open < this.#count()) this.#waiting.shift()?.()
    }
  }
}
