import type { Unit } from '../recogniser.ts'

/** Units found beyond those that hints count, of which one was torn in two or only looks like one: no loss of nearly a period. */
const SURPLUS = 1

/** A place in the recording that a hint names. */
interface Named {
  readonly hint: number
  /** Units before it. */
  readonly at: number
}

/**
 * Display order of temporal units, which are shown as they come. Over a hole the order hints of the frames that they show tell
 * how many are lost, modulo a power of two: AV1 Bitstream & Decoding Process Specification §7.20. Other bytes pass for units
 * beside damage, so that a hint counts when the next one goes on from it: the order leaps there, behind the hole. A frame shown
 * again tells no hint; it is taken to be the next.
 */
export class HintedPictures {
  /** Hints repeat after so many; 1 when there are none. */
  readonly #period: number
  #order = 0
  #count = 0
  /** The last hint that went on from the one before. */
  #known: Named | undefined
  /** The last hint that did not. */
  #doubtful: Named | undefined
  /** Units may have been lost since the known hint. */
  #torn = false

  /** `bits` of an order hint, 0 for sequences without. */
  constructor(bits: number) {
    this.#period = 2 ** bits
  }

  /** Units may be lost here. */
  discontinuity(): void {
    this.#torn = true
    this.#doubtful = undefined
  }

  /** Gives the next unit its place; `hint` is undefined where it tells none. */
  accept(unit: Unit, hint: number | undefined): void {
    // counting starts anew at key frames, or goes on over them
    unit.restart = this.#count === 0 || (unit.key && hint === 0 && this.#period > 1)
    if (unit.restart) this.#restart(hint)
    else this.#order += 1 + (hint === undefined ? 0 : this.#missing({ hint, at: this.#count }))
    this.#count++
    unit.order = this.#order
    unit.gap = 0
    unit.leading = false
  }

  #restart(hint: number | undefined): void {
    this.#order = 0
    this.#torn = false
    this.#doubtful = undefined
    this.#known = hint === undefined ? undefined : { hint, at: this.#count }
  }

  /** Units lost between the last known hint and this one; -1 for one too many. */
  #missing(told: Named): number {
    const known = this.#known
    const off = known ? this.#apart(known, told) : 0
    const agrees = known !== undefined && off === 0
    if (!agrees && (!this.#doubtful || this.#apart(this.#doubtful, told) !== 0)) {
      this.#doubtful = told
      return 0
    }
    const lost = !this.#torn ? 0 : off < this.#period - SURPLUS ? off : off - this.#period
    this.#known = told
    this.#doubtful = undefined
    this.#torn = false
    return lost
  }

  /** Units that hints name between two places beyond those found there. */
  #apart(from: Named, to: Named): number {
    const off = (to.hint - from.hint - (to.at - from.at)) % this.#period
    return off < 0 ? off + this.#period : off
  }
}
