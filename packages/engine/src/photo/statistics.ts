/** Of a normal distribution: the standard deviation for each median distance from the middle. */
export const NORMAL = 1.48

/**
 * The median of the first `count` values, whose order is changed; 0 of none. By Hoare's selection: only what holds the middle is
 * looked at.
 */
export function medianOf(values: Float32Array, count = values.length): number {
  if (count === 0) return 0
  const middle = count >> 1
  let first = 0
  let last = count - 1
  while (first < last) {
    const pivot = values[(first + last) >> 1]
    let low = first
    let high = last
    while (low <= high) {
      while (values[low] < pivot) low++
      while (values[high] > pivot) high--
      if (low > high) break
      const value = values[low]
      values[low++] = values[high]
      values[high--] = value
    }
    if (middle <= high) last = high
    else if (middle >= low) first = low
    else break
  }
  return values[middle]
}

/** The standard deviation that most values show by how far they are from the middle, whatever few are. */
export function deviationOf(values: Float32Array, middle: number): number {
  return NORMAL * medianOf(values.map((value) => Math.abs(value - middle)))
}
