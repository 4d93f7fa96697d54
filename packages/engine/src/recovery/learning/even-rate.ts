/** Grains of the clock by which rounding may take times off an even rate: some clocks round each time, some each duration. */
const ROUNDED = 2
/** A grain is no larger than this share of a duration: otherwise it is the durations that differ. */
const FINEST = 1 / 16
/** Share of durations that may be others: where units are missing. */
const OTHERS = 0.02
/** Fewer durations show no rate. */
const FEWEST = 6

/**
 * Mean duration of units that come at an even rate but for the rounding of their clock, however coarse that is beside the ticks:
 * all times stay within a grain or two of it. Undefined where some do not.
 * @param durations in ticks, in order; 0 where one is not known
 */
export function evenUnit(durations: readonly number[] | Float64Array): number | undefined {
  const known = new Float64Array(durations).sort()
  const unknown = known.findIndex((duration) => duration > 0)
  if (unknown < 0) return undefined
  const count = known.length - unknown
  const middle = known[unknown + (count >> 1)]
  const isUsual = (duration: number): boolean => Math.abs(duration - middle) <= middle * 2 * FINEST
  let [usual, sum, grain] = [0, 0, 0]
  for (const duration of durations) {
    if (!(duration > 0) || !isUsual(duration)) continue
    usual++
    sum += duration
    if (grain === 0 || duration % grain !== 0) grain = commonDivisor(grain, duration)
  }
  if (usual < FEWEST || count - usual > count * OTHERS) return undefined
  const unit = sum / usual
  if (grain > unit * FINEST) return undefined
  let late = 0
  let [earliest, latest] = [0, 0]
  for (const duration of durations) {
    late = isUsual(duration) ? late + duration - unit : 0
    earliest = Math.min(isUsual(duration) ? earliest : 0, late)
    latest = Math.max(isUsual(duration) ? latest : 0, late)
    if (latest - earliest > grain * ROUNDED) return undefined
  }
  return unit
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}
