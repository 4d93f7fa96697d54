import { type Counts, NONE, SOME } from './counts.ts'
import { PLACES, type Probabilities } from './probabilities.ts'
import { HIGH_PRECISION, INTERP_FILTER, MODES, type Symbols, TX_SIZES } from './symbols.ts'

/**
 * COUNT_SAT and MAX_UPDATE_FACTOR of symbols and of coefficients, and the latter's behind a key frame: VP9 specification v0.6
 * §8.4.
 */
const SYMBOL_SATURATION = 20
const SYMBOL_FACTOR = 128
const COEFFICIENT_SATURATION = 24
const COEFFICIENT_FACTOR = 112
const COEFFICIENT_FACTOR_AFTER_KEY = 128

/** What of a frame decides how probabilities adapt. */
export interface AdaptedFrame {
  readonly intra: boolean
  /** The frame before was a key frame. */
  readonly afterKey: boolean
  readonly selectedTransforms: boolean
  readonly switchableFilter: boolean
  readonly highPrecision: boolean
}

/** Adapts `current`, which begins as the frame's own probabilities, from `before` by what was counted: §8.4. */
export function adapt(
  current: Probabilities,
  before: Probabilities,
  counts: Counts,
  frame: AdaptedFrame,
): void {
  const factor = !frame.intra && frame.afterKey ? COEFFICIENT_FACTOR_AFTER_KEY : COEFFICIENT_FACTOR
  adaptCoefficients(current.coefficients, before.coefficients, counts, factor)
  if (frame.intra) return
  const kinds = [
    ...MODES,
    ...(frame.selectedTransforms ? TX_SIZES : []),
    ...(frame.switchableFilter ? [INTERP_FILTER] : []),
    ...(frame.highPrecision ? HIGH_PRECISION : []),
  ]
  for (const kind of kinds)
    for (let row = 0; row < kind.rows; row++)
      adaptTree(kind, row, 0, current.symbols, before.symbols, counts.symbols)
}

/** merge_probs of §8.4.2: the node's probability. Returns how often anything below it was read. */
function adaptTree(
  kind: Symbols,
  row: number,
  node: number,
  current: Uint8Array,
  before: Uint8Array,
  counts: Uint32Array,
): number {
  const below = (next: number): number =>
    next <= 0
      ? counts[kind.counts + row * kind.leaves - next]
      : adaptTree(kind, row, next, current, before, counts)
  const zeros = below(kind.tree[node])
  const ones = below(kind.tree[node + 1])
  const at = kind.at + row * kind.nodes + (node >> 1)
  current[at] = merged(before[at], zeros, ones, SYMBOL_SATURATION, SYMBOL_FACTOR)
  return zeros + ones
}

/** §8.4.3. */
function adaptCoefficients(current: Uint8Array, before: Uint8Array, counts: Counts, factor: number): void {
  const { coefficients } = counts
  for (let place = 0; place < PLACES; place++) {
    const at = 3 * place
    const zero = coefficients[5 * place]
    const one = coefficients[5 * place + 1]
    const larger = coefficients[5 * place + 2]
    const none = coefficients[5 * place + NONE]
    const some = coefficients[5 * place + SOME]
    current[at] = merged(before[at], none, some, COEFFICIENT_SATURATION, factor)
    current[at + 1] = merged(before[at + 1], zero, one + larger, COEFFICIENT_SATURATION, factor)
    current[at + 2] = merged(before[at + 2], one, larger, COEFFICIENT_SATURATION, factor)
  }
}

/** merge_prob of §8.4.2. */
function merged(before: number, zeros: number, ones: number, saturation: number, most: number): number {
  const all = zeros + ones
  if (all === 0) return before
  const share = Math.min(255, Math.max(1, Math.floor((zeros * 256 + (all >> 1)) / all)))
  const factor = Math.floor((most * Math.min(all, saturation)) / saturation)
  return (before * (256 - factor) + share * factor + 128) >> 8
}
