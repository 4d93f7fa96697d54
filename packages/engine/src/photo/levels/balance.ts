import type { LevelBounds } from './level-bounds.ts'

/** Errors from which on half of what tells levels is gone, since it contradicts the rest: of borders, and of a preview. */
export const FAR_OFF = 2
export const PREVIEW_FAR_OFF = 1.5
/** Rounds of the solution at most, and the residue at which it is one. */
const MOST_ROUNDS = 2_000
const SETTLED = 1e-9
/** Rounds in which what contradicts the rest loses weight. */
const ROBUST_ROUNDS = 6
/** Rounds in which offsets beyond their bounds are pulled back, and levels that they stay beyond them by. */
const BOUND_ROUNDS = 6
const BOUND_ERROR = 0.2

/** A border between two groups of sections: the lower one's level is the upper one's and `difference`. */
export interface Border {
  readonly below: number
  readonly above: number
  readonly difference: number
  readonly weight: number
  /** Errors of it from which on half of its weight is gone. */
  readonly farOff: number
}

/**
 * Offsets of groups, in levels, and the borders that they balance: as much as each counted in the end, with what holds groups
 * within bounds.
 */
export interface Balance {
  readonly offsets: Float64Array
  /** Whether a group stands at 0: those that are known, and one more, behind all others, which bounds are told against. */
  readonly standing: readonly boolean[]
  readonly borders: readonly Border[]
}

/**
 * Offsets that balance borders between groups as well as can be, known groups at 0: borders whose difference is far from all
 * others' count less, the farther the less, and groups that have bounds stay within them.
 */
export function balance(
  known: readonly boolean[],
  borders: readonly Border[],
  bounds: readonly (LevelBounds | undefined)[],
): Balance {
  // one group more stands still, which bounds are told against
  const all = [...known, true]
  let offsets = relax(all, borders)
  let pulls: readonly Border[] = []
  for (let round = 0; round < BOUND_ROUNDS; round++) {
    pulls = pullsOf(offsets, bounds, known.length)
    if (pulls.length === 0) break
    offsets = relax(all, [...borders, ...pulls])
  }
  let counted = [...borders, ...pulls]
  for (let round = 0; round < ROBUST_ROUNDS; round++) {
    const reweighted = borders.map((border) => {
      const off = offsets[border.below] - offsets[border.above] - border.difference
      return { ...border, weight: border.weight / (1 + (off * off * border.weight) / border.farOff ** 2) }
    })
    counted = [...reweighted, ...pulls]
    offsets = relax(all, counted)
    pulls = pullsOf(offsets, bounds, known.length)
  }
  return { offsets: offsets.subarray(0, known.length), standing: all, borders: counted }
}

/** What pulls groups whose offsets are beyond their bounds back to them. */
function pullsOf(
  offsets: Float64Array,
  bounds: readonly (LevelBounds | undefined)[],
  still: number,
): Border[] {
  return bounds.flatMap((bound, group) => {
    if (!bound) return []
    const difference = Math.max(bound.least, Math.min(bound.most, offsets[group]))
    if (difference === offsets[group]) return []
    return [{ below: group, above: still, difference, weight: BOUND_ERROR ** -2, farOff: 1 }]
  })
}

/** Offsets that balance all borders, known groups at 0: least squares by conjugate gradients. */
function relax(known: readonly boolean[], borders: readonly Border[]): Float64Array {
  const count = known.length
  const free = Float64Array.from(known, (still) => (still ? 0 : 1))
  const residual = new Float64Array(count)
  /** The normal equations' matrix times `x`, where known groups stand still. */
  const multiply = (x: Float64Array): Float64Array => {
    const out = new Float64Array(count)
    for (const { below, above, weight } of borders) {
      const pull = weight * (x[below] - x[above])
      out[below] += pull
      out[above] -= pull
    }
    for (let i = 0; i < count; i++) out[i] *= free[i]
    return out
  }
  for (const { below, above, difference, weight } of borders) {
    residual[below] += weight * difference
    residual[above] -= weight * difference
  }
  for (let i = 0; i < count; i++) residual[i] *= free[i]
  const offsets = new Float64Array(count)
  let direction = Float64Array.from(residual)
  let energy = dot(residual, residual)
  for (let round = 0; round < Math.min(MOST_ROUNDS, 2 * count) && energy > SETTLED; round++) {
    const image = multiply(direction)
    const curve = dot(direction, image)
    if (curve <= 0) break
    const step = energy / curve
    for (let i = 0; i < count; i++) {
      offsets[i] += step * direction[i]
      residual[i] -= step * image[i]
    }
    const next = dot(residual, residual)
    const keep = next / energy
    direction = direction.map((value, i) => residual[i] + keep * value)
    energy = next
  }
  return offsets
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
