/** Fewer runs show no trend. */
const FEWEST = 8
/**
 * Share of the range of all values that a straight line rises or falls by, from which on it is a trend: chance keeps well below.
 */
const TREND = 0.75
/**
 * Seconds a second by which values may change: a recorder has to keep what it writes late, and one that would be further off has
 * a wrong clock.
 */
const MOST = 0.25

/**
 * Whether values keep rising or falling over time, by more than `least` altogether: a line through them explains nearly all of
 * their range. What was measured in a part of such a recording bounds nothing of the rest.
 * @param times of the values, rising
 */
export function drifts(times: readonly number[], values: readonly number[], least: number): boolean {
  const { length } = values
  if (length < FEWEST) return false
  const mean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / length
  const [middle, usual] = [mean(times), mean(values)]
  let [across, along] = [0, 0]
  for (let i = 0; i < length; i++) {
    along += (times[i] - middle) ** 2
    across += (times[i] - middle) * (values[i] - usual)
  }
  if (along === 0) return false
  const slope = Math.abs(across / along)
  const moved = slope * (times[length - 1] - times[0])
  const range = Math.max(...values) - Math.min(...values)
  return slope < MOST && moved > least && moved > range * TREND
}
