import { PLACES } from './probabilities.ts'
import { SYMBOL_COUNTS } from './symbols.ts'

/** How often each symbol was read in a frame, VP9 specification v0.6 §9.3.4. */
export class Counts {
  /** See `symbols.ts`. */
  readonly symbols = new Uint32Array(SYMBOL_COUNTS)
  /** Four a place: coefficients that are zero, one, larger, and none any more. */
  readonly coefficients = new Uint32Array(4 * PLACES)
  /** By place: how often it was asked whether more coefficients follow. */
  readonly more = new Uint32Array(PLACES)

  clear(): void {
    this.symbols.fill(0)
    this.coefficients.fill(0)
    this.more.fill(0)
  }
}
