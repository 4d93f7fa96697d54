/** Numbers tried for one hole at once: of a film whose units of sound last next to nothing it may have swallowed millions. */
const MOST_AROUND = 1 << 10

/**
 * Whole numbers no further than `reach` from those next to `centre`, none below zero; evenly spaced ones of more than
 * `MOST_AROUND`.
 */
export function around(centre: number, reach: number): number[] {
  const first = Math.max(0, Math.floor(centre) - reach)
  const last = Math.max(0, Math.ceil(centre) + reach)
  const step = Math.ceil((last - first + 1) / MOST_AROUND)
  const numbers: number[] = []
  for (let number = first; number <= last; number += step) numbers.push(number)
  return numbers
}
