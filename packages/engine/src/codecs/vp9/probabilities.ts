import { DEFAULT_COEFFICIENTS } from './default-coefficients.ts'
import { DEFAULT_SYMBOLS, SYMBOL_PROBABILITIES } from './symbols.ts'

/** Contexts of the first band and of each other one, bands, and places for both in the arrays. */
export const FIRST_CONTEXTS = 3
export const CONTEXTS = 6
const BANDS = 6
/** Places of one transform size, plane and reference; all of them. */
export const BLOCK_KIND_PLACES = BANDS * CONTEXTS
export const PLACES = 4 * 2 * 2 * BLOCK_KIND_PLACES

/** Where a transform size (0 to 3), plane (0 luma, 1 chroma) and reference (0 intra, 1 inter) begin. */
export function placeOf(size: number, plane: number, reference: number): number {
  return ((size * 2 + plane) * 2 + reference) * BLOCK_KIND_PLACES
}

/** All probabilities that adapt, VP9 specification v0.6 §9.3: a frame context. */
export class Probabilities {
  /** See `symbols.ts`. */
  readonly symbols = new Uint8Array(SYMBOL_PROBABILITIES)
  /** Three for each place of transform size, plane, reference, band and context: more coefficients, not zero, not one. */
  readonly coefficients = new Uint8Array(3 * PLACES)

  constructor() {
    this.reset()
  }

  /** Back to the standard's: setup_past_independence, §7.2. */
  reset(): void {
    this.symbols.set(DEFAULT_SYMBOLS)
    this.coefficients.set(EXPANDED)
  }

  copy(other: Probabilities): void {
    this.symbols.set(other.symbols)
    this.coefficients.set(other.coefficients)
  }
}

/** The defaults with as many contexts in the first band as in the others. */
const EXPANDED = new Uint8Array(3 * PLACES)
let from = 0
for (let place = 0; place < PLACES; place++) {
  const first = Math.floor(place / CONTEXTS) % BANDS === 0
  if (first && place % CONTEXTS >= FIRST_CONTEXTS) continue
  for (let i = 0; i < 3; i++) EXPANDED[3 * place + i] = DEFAULT_COEFFICIENTS[from++]
}
