import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import { ZIGZAG } from '../../codecs/jpeg/zigzag.ts'

const SIDE = 8

/** What a smooth function of both frequencies is a sum of, for each coefficient in zigzag order. */
const TERMS = Array.from(ZIGZAG, (place) => {
  const u = place % SIDE
  const v = (place - u) / SIDE
  const sum = u + v
  const apart = Math.abs(u - v)
  return [1, sum, sum ** 2 / 10, Math.log1p(sum), apart, apart ** 2 / 10, u - v, ((u - v) * sum) / 10]
})

/** Rounds in which what is far off loses its weight, and how near counts as near. */
const ROUNDS = 20
const NEAR = 0.05
/** What is added to the diagonal so that few values give a solution. */
const RIDGE = 1e-6

/**
 * How far values, one for each coefficient in zigzag order, are off a smooth function of both frequencies that is fitted, with
 * the least sum of distances, to those of them that `fitted` holds: what is far off does not bend it.
 */
export function offSmooth(values: Float64Array, fitted: (index: number) => boolean): Float64Array {
  const used = Array.from({ length: BLOCK_COEFFICIENTS }, (_, i) => i).filter(fitted)
  const count = TERMS[0].length
  let off = new Float64Array(BLOCK_COEFFICIENTS).fill(1)
  for (let round = 0; round < ROUNDS; round++) {
    const rows = TERMS[0].map((_, i) =>
      Float64Array.from({ length: count + 1 }, (__, j) => (i === j ? RIDGE : 0)),
    )
    for (const index of used) {
      const terms = TERMS[index]
      const weight = 1 / Math.max(NEAR, Math.abs(off[index]))
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < count; j++) rows[i][j] += weight * terms[i] * terms[j]
        rows[i][count] += weight * terms[i] * values[index]
      }
    }
    const factors = solve(rows)
    off = values.map((value, i) => value - TERMS[i].reduce((sum, term, j) => sum + term * factors[j], 0))
  }
  return off
}

/** Solves equations with a symmetric positive definite matrix, by Gauss and Jordan; the right side is the last column. */
function solve(rows: readonly Float64Array[]): number[] {
  rows.forEach((row, pivot) => {
    const scale = 1 / row[pivot]
    for (let j = pivot; j < row.length; j++) row[j] *= scale
    rows.forEach((other, i) => {
      const part = other[pivot]
      if (i === pivot || part === 0) return
      for (let j = pivot; j < row.length; j++) other[j] -= part * row[j]
    })
  })
  return rows.map((row) => row[rows.length])
}
