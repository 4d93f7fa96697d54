import type { Balance, Border } from './balance.ts'

/** With more groups each is rounded by itself: work grows with the cube of their number. */
const MOST_GROUPS = 150
/**
 * Error of an offset, in steps, up to which its whole number is told: with a larger one rounding errs by more than it takes away.
 */
const SURE = 0.25
/** Weight by which a group that nothing ties to others is held where it is. */
const TIE = 1e-6

/**
 * Offsets of balanced groups as whole numbers of steps of DC, of `unit` levels each. What was written differs from what was read
 * by such numbers only: the surest offset is rounded first, and what it says of the others is heeded before the next is, so that
 * errors of borders add up no further where each is small beside a step. Groups that are known to a step among themselves, but
 * not beside known ones, are moved together. The group numbered `preview` is no part of the scan and may stand between steps.
 *
 * Integer bootstrapping: P. Teunissen, Success probability of integer GPS ambiguity rounding and bootstrapping, Journal of
 * Geodesy 72, 1998.
 */
export function inWholeSteps(
  { offsets, standing, borders }: Balance,
  preview: number,
  unit: number,
): Int32Array {
  const free = standing.flatMap((still, group) => (still ? [] : [group]))
  const count = free.length
  if (count > MOST_GROUPS) return Int32Array.from(offsets, (offset) => Math.round(offset / unit))
  const indexOf = new Int32Array(standing.length).fill(-1)
  free.forEach((group, index) => {
    indexOf[group] = index
  })
  const covariance = inverseOf(normalMatrix(count, indexOf, borders), count)
  const values = Float64Array.from(free, (group) => offsets[group])
  /** What each group is a whole number of steps from; undefined until it is told. */
  const origins: (number | undefined)[] = standing.map((still) => (still ? 0 : undefined))
  const left = new Set(free.keys())
  left.delete(indexOf[preview])
  while (left.size > 0) {
    const variance = (index: number): number => covariance[index * count + index]
    const surest = [...left].reduce((best, index) => (variance(index) < variance(best) ? index : best))
    left.delete(surest)
    const group = free[surest]
    const sure = variance(surest) < (SURE * unit) ** 2
    const origin = (sure ? nearestOrigin(group, origins, borders) : undefined) ?? values[surest]
    origins[group] = origin
    fix(covariance, values, surest, origin + Math.round((values[surest] - origin) / unit) * unit)
  }
  return Int32Array.from(offsets, (offset, group) => {
    const index = indexOf[group]
    return Math.round((index < 0 ? offset : values[index]) / unit)
  })
}

/** The origin of the told group beside one of which their border tells most. */
function nearestOrigin(
  group: number,
  origins: readonly (number | undefined)[],
  borders: readonly Border[],
): number | undefined {
  let most = 0
  let nearest: number | undefined
  for (const { below, above, weight } of borders) {
    if (weight <= most || (below !== group && above !== group)) continue
    const origin = origins[below === group ? above : below]
    if (origin === undefined) continue
    most = weight
    nearest = origin
  }
  return nearest
}

/** What offsets are, and how sure, once one of them is known. */
function fix(covariance: Float64Array, values: Float64Array, index: number, value: number): void {
  const count = values.length
  const variance = covariance[index * count + index]
  if (variance <= 0) return
  const row = covariance.slice(index * count, (index + 1) * count)
  const moved = (value - values[index]) / variance
  for (let i = 0; i < count; i++) {
    if (row[i] === 0) continue
    values[i] += row[i] * moved
    const part = row[i] / variance
    for (let j = 0; j < count; j++) covariance[i * count + j] -= part * row[j]
  }
}

/** The matrix of the normal equations of borders between groups, those at 0 left out. */
function normalMatrix(count: number, indexOf: Int32Array, borders: readonly Border[]): Float64Array {
  const matrix = new Float64Array(count * count)
  for (let i = 0; i < count; i++) matrix[i * count + i] = TIE
  for (const { below, above, weight } of borders) {
    const one = indexOf[below]
    const other = indexOf[above]
    if (below === above) continue
    if (one >= 0) matrix[one * count + one] += weight
    if (other >= 0) matrix[other * count + other] += weight
    if (one < 0 || other < 0) continue
    matrix[one * count + other] -= weight
    matrix[other * count + one] -= weight
  }
  return matrix
}

/** The inverse of a symmetric positive definite matrix, by Gauss and Jordan: no pivots are needed. */
function inverseOf(matrix: Float64Array, count: number): Float64Array {
  const inverse = new Float64Array(count * count)
  for (let i = 0; i < count; i++) inverse[i * count + i] = 1
  for (let pivot = 0; pivot < count; pivot++) {
    const scale = 1 / matrix[pivot * count + pivot]
    for (let j = 0; j < count; j++) {
      matrix[pivot * count + j] *= scale
      inverse[pivot * count + j] *= scale
    }
    for (let i = 0; i < count; i++) {
      const part = matrix[i * count + pivot]
      if (i === pivot || part === 0) continue
      for (let j = 0; j < count; j++) {
        matrix[i * count + j] -= part * matrix[pivot * count + j]
        inverse[i * count + j] -= part * inverse[pivot * count + j]
      }
    }
  }
  return inverse
}
