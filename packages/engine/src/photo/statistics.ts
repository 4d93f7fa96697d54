/** The median of the first `count` values, which are sorted; 0 of none. */
export function medianOf(values: Float32Array, count = values.length): number {
  if (count === 0) return 0
  return values.subarray(0, count).sort()[count >> 1]
}
