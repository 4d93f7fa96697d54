/** How often each known duration occurs, durations and counts of them. */
export function countsOf(durations: Float64Array): Map<number, number> {
  const counts = new Map<number, number>()
  for (const duration of durations) if (duration > 0) counts.set(duration, (counts.get(duration) ?? 0) + 1)
  return counts
}

/** Mean of the durations no further than `within` from `around`. */
export function weightedMean(durations: ReadonlyMap<number, number>, around: number, within: number): number {
  let sum = 0
  let weight = 0
  for (const [duration, count] of durations) {
    if (Math.abs(duration - around) > within) continue
    sum += duration * count
    weight += count
  }
  return weight > 0 ? sum / weight : around
}

/** Mean distance from `around` of the durations no further than `within` from it. */
export function meanDeviation(
  durations: ReadonlyMap<number, number>,
  around: number,
  within: number,
): number {
  let sum = 0
  let weight = 0
  for (const [duration, count] of durations) {
    if (Math.abs(duration - around) > within) continue
    sum += Math.abs(duration - around) * count
    weight += count
  }
  return weight > 0 ? sum / weight : 0
}

/** Share of the durations no further than `within` from `around`. */
export function shareWithin(durations: ReadonlyMap<number, number>, around: number, within: number): number {
  let near = 0
  let all = 0
  for (const [duration, count] of durations) {
    all += count
    if (Math.abs(duration - around) <= within) near += count
  }
  return all > 0 ? near / all : 0
}

/** The duration that half of all do not exceed; 0 where there is none. */
export function weightedMedian(durations: ReadonlyMap<number, number>): number {
  const sorted = [...durations].sort(([a], [b]) => a - b)
  const half = sorted.reduce((sum, [, count]) => sum + count, 0) / 2
  let seen = 0
  for (const [duration, count] of sorted) {
    seen += count
    if (seen >= half) return duration
  }
  return 0
}
