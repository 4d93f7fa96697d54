/** Share of joints that must agree on an order. */
const REGULAR = 0.85
/** Joints that show a habit. */
const FEWEST = 3

/** Counts in which order lanes of one codec lie where units of one join those of another. */
export class ShareOrder {
  readonly #codecs: readonly string[]
  /** Joints by the lane before, then the lane behind. */
  readonly #joints: number[][]

  /** @param codecs of the lanes, by index */
  constructor(codecs: readonly string[]) {
    this.#codecs = codecs
    this.#joints = codecs.map(() => codecs.map(() => 0))
  }

  /** Units of lane `next` join those of `before`. */
  follow(before: number, next: number): void {
    if (this.#codecs[before] === this.#codecs[next]) this.#joints[before][next]++
  }

  /** How many lanes of its codec lie before each lane; 0 for all of a codec whose order changes. */
  places(): number[] {
    return this.#codecs.map((codec, lane) => {
      const others = this.#codecs.flatMap((other, index) =>
        other === codec && index !== lane ? [index] : [],
      )
      return others.filter((other) => this.#isBefore(other, lane)).length
    })
  }

  #isBefore(one: number, other: number): boolean {
    const before = this.#joints[one][other]
    const all = before + this.#joints[other][one]
    return all >= FEWEST && before >= all * REGULAR
  }
}
