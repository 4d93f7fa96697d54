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
    if (this.#open < this.#count()) this.#open += 1
    else await new Promise<void>((go) => this.#waiting.push(go))
    try {
      await work()
    } finally {
      // The lane is handed on as it is: whoever comes meanwhile does not find it free.
      const next = this.#open <= this.#count() ? this.#waiting.shift() : undefined
      if (next) next()
      else this.#open -= 1
    }
  }
}
