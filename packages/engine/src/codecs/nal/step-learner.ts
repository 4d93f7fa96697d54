/** Pictures among which the nearest in display order is looked for: more than any hierarchy reorders. */
const RING = 32
const MAX_STEP = 64
/** Pictures before the numbering is believed. */
const MINIMUM = 4
/** A difference rarer than one picture in this many is an accident. */
const RARE = 50
/** Frames count by two in most streams, since fields count by one. */
const USUAL_STEP = 2

/** Learns by how much the display order of neighbouring pictures grows: the smallest difference that is not an accident. */
export class StepLearner {
  readonly #ring = new Int32Array(RING)
  #filled = 0
  #next = 0
  readonly #counts = new Uint32Array(MAX_STEP + 1)
  #total = 0

  get step(): number {
    if (this.#total < MINIMUM) return USUAL_STEP
    for (let step = 1; step <= MAX_STEP; step++) if (this.#counts[step] * RARE >= this.#total) return step
    return USUAL_STEP
  }

  /** A picture of this display order came; `restart` when numbering began anew with it. */
  see(order: number, restart: boolean): void {
    if (restart) this.restart()
    let nearest = MAX_STEP + 1
    for (let i = 0; i < this.#filled; i++) {
      const apart = Math.abs(order - this.#ring[i])
      if (apart > 0 && apart < nearest) nearest = apart
    }
    if (nearest <= MAX_STEP) {
      this.#counts[nearest]++
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
