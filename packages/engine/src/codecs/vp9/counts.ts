import { PLACES } from './probabilities.ts'
import { SYMBOL_COUNTS } from './symbols.ts'

/** Those of a place's five counts that say whether coefficients follow. */
export const NONE = 3
export const SOME = 4

/** How often each symbol was read in a frame, VP9 specification v0.6 §9.3.4. */
export class Counts {
  /** See `symbols.ts`. */
  readonly symbols = new Uint32Array(SYMBOL_COUNTS)
  /**
   * Five a place: coefficients that are zero, one, larger; and how often none followed any more, and some did, where it was
   * asked.
   */
  readonly coefficients = new Uint32Array(5 * PLACES)

  clear(): void {
    this.symbols.fill(0)
    this.coefficients.fill(0)
  }
}
