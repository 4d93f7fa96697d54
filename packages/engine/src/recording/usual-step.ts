/**
 * The middle one of the steps between neighbours among `rows` of whole `times`; 0 where there are none. Steps over `longest` are
 * pauses.
 */
export function usualWholeStep(times: ArrayLike<number>, rows: Uint32Array, longest: number): number {
  const counts = new Uint32Array(longest + 1)
  let total = 0
  for (let i = 1; i < rows.length; i++) {
    const step = times[rows[i]] - times[rows[i - 1]]
    if (step < 1 || step > longest) continue
    counts[step]++
    total++
  }
  let seen = 0
  for (let step = 1; step <= longest; step++) {
    seen += counts[step]
    if (seen * 2 >= total && seen > 0) return step
  }
  return 0
}
