/** Pictures among which the nearest in display order is looked for: more than any hierarchy reorders. */
const RING = 32
/** Different distances kept. */
const MAX_DISTANCES = 64
/** Pictures before the numbering is believed. */
const MINIMUM = 4
/** A difference rarer than one picture in this many is an accident. */
const RARE = 50

/** Learns by how much the display order of neighbouring pictures grows: the smallest difference that is not an accident. */
export class StepLearner {
  readonly #usual: number
  readonly #ring = new Int32Array(RING)
  #filled = 0
  #next = 0
  readonly #counts = new Map<number, number>()
  #total = 0

  /**
   * `usual` is the step until pictures teach another. Frames count by two in most NAL unit streams, since fields count by one.
   */
  constructor(usual = 2) {
    this.#usual = usual
  }

  get step(): number {
    if (this.#total < MINIMUM) return this.#usual
    let least = Number.POSITIVE_INFINITY
    for (const [step, count] of this.#counts) if (step < least && count * RARE >= this.#total) least = step
    return Number.isFinite(least) ? least : this.#usual
  }

  /** A picture of this display order came; `restart` when numbering began anew with it. */
  see(order: number, restart: boolean): void {
    if (restart) this.restart()
    let nearest = Number.POSITIVE_INFINITY
    for (let i = 0; i < this.#filled; i++) {
      const apart = Math.abs(order - this.#ring[i])
      if (apart > 0 && apart < nearest) nearest = apart
    }
    if (Number.isFinite(nearest)) {
      const count = this.#counts.get(nearest)
      if (count !== undefined || this.#counts.size < MAX_DISTANCES)
        this.#counts.set(nearest, (count ?? 0) + 1)
      this.#total++
    }
    this.#ring[this.#next] = order
    this.#next = (this.#next + 1) % RING
    if (this.#filled < RING) this.#filled++
  }

  /** Forgets the neighbours, not the step. */
  restart(): void {
    this.#filled = 0
    this.#next = 0
  }
}
