import type { Unit } from './recogniser.ts'

/** Display order of pictures that are shown as they come and carry no number: they are counted. */
export class CountedPictures {
  #count = 0

  /** Gives the next picture its place. */
  accept(unit: Unit): void {
    unit.order = this.#count
    unit.restart = this.#count === 0
    unit.gap = 0
    unit.leading = false
    this.#count++
  }
}
