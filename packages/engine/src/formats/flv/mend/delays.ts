import { ESTIMATED, NEW_HEADER, type TagTable, VIDEO } from '../read/tag-table.ts'
import type { Stream } from '../streams.ts'
import type { MendedTimes } from './times.ts'

/**
 * Pictures that a decoder holds back before one is shown at the latest, ITU-T H.264 §A.3.1 and H.265 §A.4.2, and the one itself.
 */
const HELD_BACK = 17
/** Shares of a step between which the distance of two neighbours is that of two steps. */
const TWO_STEPS = [1.6, 2.4] as const
/** Share of the pictures that may have been hit: where more were, what they say means something else. */
const MOST_HIT = 0.1
/**
 * Puts the delays of pictures right that were hit: by which one would be shown later, or earlier, than its decoder can hold
 * pictures back. It is shown where one is missing among those around it.
 */
export function mendDelays(table: TagTable, streams: readonly Stream[], times: MendedTimes): MendedTimes {
  const stream = streams.find(({ kind }) => kind === VIDEO)
  const step = times.steps.get(VIDEO) ?? 0
  if (!stream || step === 0) return times
  const { rows } = stream
  const delays = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) delays[i] = table.delay[rows[i]]
  if (!delays.some((delay) => delay !== 0)) return times
  const usual = delays.slice().sort()[delays.length >> 1]
  const timeOf = (i: number): number =>
    i < 0
      ? table.time[rows[0]] + i * step
      : table.time[rows[Math.min(i, rows.length - 1)]] + Math.max(0, i - rows.length + 1) * step
  const isHit = (i: number): boolean => {
    const shown = timeOf(i) + delays[i] - usual
    return shown > timeOf(i + HELD_BACK) || shown < timeOf(i - HELD_BACK)
  }
  const hit = new Set<number>()
  for (let i = 0; i < rows.length; i++) if (delays[i] !== 0 && isHit(i)) hit.add(i)
  if (hit.size > rows.length * MOST_HIT) return times
  let estimated = 0
  const isWhole = (i: number): boolean => i >= 0 && i < rows.length && !hit.has(i)
  for (const i of hit) {
    const around = Array.from({ length: 2 * HELD_BACK + 1 }, (_, k) => i - HELD_BACK + k).filter(isWhole)
    const delay = missingAmong(
      around.map((k) => [timeOf(k), delays[k]]),
      timeOf(i),
      step,
    )
    if (delay === undefined) {
      table.flags[rows[i]] |= ESTIMATED
      estimated++
    }
    table.flags[rows[i]] |= NEW_HEADER
    table.delay[rows[i]] = delay ?? usual
  }
  return { ...times, mended: times.mended + hit.size, estimated: times.estimated + estimated }
}

/** The delay of a picture decoded at `time` that is shown where just one is missing among those around it. */
function missingAmong(
  around: readonly (readonly [time: number, delay: number])[],
  time: number,
  step: number,
): number | undefined {
  const least = Math.min(...around.map(([, delay]) => delay))
  const most = Math.max(...around.map(([, delay]) => delay))
  const shown = around.map(([at, delay]) => at + delay).sort((a, b) => a - b)
  const found: number[] = []
  for (let k = 1; k < shown.length; k++) {
    const steps = (shown[k] - shown[k - 1]) / step
    const delay = Math.round((shown[k] + shown[k - 1]) / 2) - time
    if (steps > TWO_STEPS[0] && steps < TWO_STEPS[1] && delay >= least && delay <= most) found.push(delay)
  }
  return found.length === 1 ? found[0] : undefined
}
