/** Tries from which on it is told how ways of measuring err. */
const LEAST_TRIES = 6
/** What is added to the variance of each way, as a part of it and in levels squared: few tries tell it roughly. */
const PART_ADDED = 0.1
const LEAST_ADDED = 4e-4

/**
 * Weights of several ways to measure the same, of sum 1 and none below 0, by which their mean errs least: told by `tries` of them
 * whose right result is 0, each a value for every way. Of too few tries the first way has all weight.
 *
 * The best linear unbiased combination of estimates with correlated errors: L. Lyons, D. Gibaut, P. Clifford, How to combine
 * correlated estimates of a single physical quantity, Nuclear Instruments and Methods A270, 1988.
 */
export function surestMean(tries: readonly (readonly number[])[], ways: number): number[] {
  const first = Array.from({ length: ways }, (_, way) => (way === 0 ? 1 : 0))
  if (tries.length < LEAST_TRIES) return first
  const matrix = first.map((_, i) =>
    first.map((__, j) => {
      const sum = tries.reduce((all, each) => all + each[i] * each[j], 0) / tries.length
      return i === j ? sum * (1 + PART_ADDED) + LEAST_ADDED : sum
    }),
  )
  const weights = solveOnes(matrix).map((weight) => Math.max(0, weight))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return total > 0 ? weights.map((weight) => weight / total) : first
}

/** What a symmetric positive definite matrix takes to ones: by Gauss and Jordan, no pivots are needed. */
function solveOnes(matrix: readonly (readonly number[])[]): number[] {
  const rows = matrix.map((row) => [...row, 1])
  rows.forEach((row, pivot) => {
    const scale = 1 / row[pivot]
    for (let j = 0; j < row.length; j++) row[j] *= scale
    rows.forEach((other, i) => {
      if (i === pivot) return
      const part = other[pivot]
      for (let j = 0; j < row.length; j++) other[j] -= part * row[j]
    })
  })
  return rows.map((row) => row[matrix.length])
}
