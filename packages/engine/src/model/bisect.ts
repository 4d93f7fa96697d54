/**
 * Numbers of a rising list that are less than `value`, which is where it would stand. `length` where only its beginning is
 * filled.
 */
export function countBelow(rising: ArrayLike<number>, value: number, length = rising.length): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rising[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** As `countBelow`, quicker the nearer to the place `guess` the answer is. */
export function countBelowNear(rising: ArrayLike<number>, value: number, guess: number): number {
  let low = 0
  let high = rising.length
  let step = 1
  for (let at = Math.min(guess, high - 1); at >= low && at < high; step *= 2) {
    if (rising[at] < value) {
      low = at + 1
      at += step
    } else {
      high = at
      at -= step
    }
  }
  while (low < high) {
    const middle = (low + high) >> 1
    if (rising[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The least number of a rising list above `value`; infinite when there is none. */
export function nextAbove(rising: ArrayLike<number>, value: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rising[middle] <= value) low = middle + 1
    else high = middle
  }
  return low < rising.length ? rising[low] : Number.POSITIVE_INFINITY
}
