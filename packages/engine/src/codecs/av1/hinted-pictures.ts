import type { Unit } from '../recogniser.ts'

/**
 * Display order of temporal units, which are shown as they come. Over a hole the order hints of the frames that they show tell how many
 * are lost, modulo a power of two: AV1 Bitstream & Decoding Process Specification §7.20. A frame shown again tells no hint; it is taken
 * to be the next.
 */
export class HintedPictures {
  /** Hints repeat after so many; 1 when there are none. */
  readonly #period: number
  #order = 0
  #hint = 0
  #started = false
  /** Units may be lost before the next one that tells its hint. */
  #torn = false

  /** `bits` of an order hint, 0 for sequences without. */
  constructor(bits: number) {
    this.#period = 2 ** bits
  }

  /** Units may be lost here. */
  discontinuity(): void {
    this.#torn = true
  }

  /** Gives the next unit its place; `hint` is undefined where it tells none. */
  accept(unit: Unit, hint: number | undefined): void {
    // counting starts anew at key frames, or goes on over them
    unit.restart = !this.#started || (unit.key && hint === 0 && this.#period > 1)
    if (unit.restart) this.#order = 0
    else this.#order += this.#step(hint)
    this.#hint = hint ?? (this.#hint + 1) % this.#period
    if (hint !== undefined) this.#torn = false
    this.#started = true
    unit.order = this.#order
    unit.gap = 0
    unit.leading = false
  }

  #step(hint: number | undefined): number {
    if (hint === undefined || !this.#torn) return 1
    return (hint - this.#hint + this.#period) % this.#period || 1
  }
}
