/**
 * The numbers from 0 to `count` in the order that `compare` tells, where long rows of them are in order already: those are
 * merged, in as many steps as there are rows of them twice, and again.
 * @param compare negative where the first comes before the second; 0 for none that differ
 */
export function mergedOrder(count: number, compare: (a: number, b: number) => number): Uint32Array {
  let order = new Uint32Array(count)
  for (let i = 1; i < count; i++) order[i] = i
  const starts = [0]
  for (let i = 1; i < count; i++) if (compare(i - 1, i) > 0) starts.push(i)
  let rows = Uint32Array.from(starts)
  let other = rows.length > 1 ? new Uint32Array(count) : order
  while (rows.length > 1) {
    for (let k = 0; k < rows.length; k += 2)
      merge(order, other, [rows[k], rows[k + 1] ?? count, rows[k + 2] ?? count], compare)
    const merged = other
    other = order
    order = merged
    rows = rows.filter((_, k) => k % 2 === 0)
  }
  return order
}

/** Merges two rows that lie one behind the other. */
function merge(
  from: Uint32Array,
  into: Uint32Array,
  [start, middle, end]: readonly [number, number, number],
  compare: (a: number, b: number) => number,
): void {
  let one = start
  let two = middle
  for (let at = start; at < end; at++) {
    const isFirst = two === end || (one < middle && compare(from[one], from[two]) <= 0)
    into[at] = isFirst ? from[one++] : from[two++]
  }
}
