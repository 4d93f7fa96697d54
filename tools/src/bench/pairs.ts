import { commonSubsequence, type Match } from './sequence.ts'

/** A unit of a track: what it is, and when. */
export interface TimedHash {
  readonly md5: string
  /** Seconds; undefined when the container does not say. */
  readonly pts: number | undefined
}

/** Seconds by which times of one instant differ in two time scales. */
const ROUNDING = 2e-3

/**
 * Pairs of equal units, in order: as many as can be. Where units repeat (silence, still pictures) many pairings are as long; of
 * those one at a constant distance in time is taken where there is one, so that a unit is not paired with another that merely
 * sounds alike. `wanted`: positions of `left` that are asked for; all when undefined.
 */
export function timedPairs(
  left: readonly TimedHash[],
  right: readonly TimedHash[],
  wanted?: ReadonlySet<number>,
): Match[] {
  const places = left.map((_, index) => index).filter((index) => wanted?.has(index) ?? true)
  const asked = places.map((place) => left[place] ?? { md5: '', pts: undefined })
  const longest = commonSubsequence(
    asked.map(({ md5 }) => md5),
    right.map(({ md5 }) => md5),
  )
  let best = longest
  for (const distance of distances(asked, right, longest)) {
    const even = pairsApart(asked, right, distance)
    if (even.length < longest.length) continue
    best = even
    break
  }
  return best.map(({ left: at, right: other }) => ({ left: places[at] ?? 0, right: other }))
}

/** Distances worth trying: none, and the commonest of units that occur once. */
function distances(
  left: readonly TimedHash[],
  right: readonly TimedHash[],
  pairs: readonly Match[],
): number[] {
  const counts = new Map<string, number>()
  for (const { md5 } of [...left, ...right]) counts.set(md5, (counts.get(md5) ?? 0) + 1)
  const apart = pairs
    .filter((pair) => counts.get(left[pair.left]?.md5 ?? '') === 2)
    .map((pair) => (right[pair.right]?.pts ?? Number.NaN) - (left[pair.left]?.pts ?? Number.NaN))
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const middle = apart[apart.length >> 1]
  return middle === undefined ? [0] : [0, middle]
}

/** Pairs of equal units that are `distance` seconds apart, give or take rounding. Times must rise. */
function pairsApart(left: readonly TimedHash[], right: readonly TimedHash[], distance: number): Match[] {
  const pairs: Match[] = []
  let next = 0
  for (const [index, { md5, pts }] of left.entries()) {
    if (pts === undefined) continue
    const time = pts + distance
    while (next < right.length && (right[next]?.pts ?? Number.NEGATIVE_INFINITY) < time - ROUNDING) next++
    const found = right[next]
    if (found?.pts === undefined || found.pts > time + ROUNDING || found.md5 !== md5) continue
    pairs.push({ left: index, right: next })
    next++
  }
  return pairs
}
