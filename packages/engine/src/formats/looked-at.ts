/** Where in a file a probe looks, as shares of its length. */
const SHARES = { head: 0, quarter: 0.25, middle: 0.5, tail: 1 }
export type Place = keyof typeof SHARES

/** Offsets from which a probe looks at `length` bytes, in the order of `places`; one where that is the whole file. */
export function lookedAt(
  size: number,
  length: number,
  places: readonly Place[],
): readonly { readonly place: Place; readonly from: number }[] {
  if (size <= length) return [{ place: 'head', from: 0 }]
  return places.map((place) => ({
    place,
    from: Math.min(size - length, Math.max(0, Math.floor(size * SHARES[place]) - length / 2)),
  }))
}
