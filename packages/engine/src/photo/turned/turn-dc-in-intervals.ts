import { medianOf } from '../statistics.ts'
import type { IntervalFit, IntervalsInput } from './interval-fit.ts'

const BLOCK = 8
/** MCUs from a turned bit to the next marker by which it is told, at least. */
const LEAST_MCUS = 12
/** Levels that are looked for, and that part of them by which MCUs in front may be off. */
const LEAST_LEVELS = 2
const IN_FRONT = 0.3
/** That part of MCUs behind must be off by half of the levels. */
const AGREEING = 0.75
/** What is left of the levels, at most, with the bit turned back. */
const LEFT = 0.3
/** MCUs around where means tell that levels begin to be off where they may do so. */
const NEAR = 24
/** MCUs behind where levels begin to be off that the bit may be in and, as many as it may change, in front. */
const ASIDE = 4
const MOST_CHANGED = 32
/** MCUs around the bit that must be more even with it turned back, by that part of the levels of a single step. */
const STRETCH = 12
const GAIN_OF_STEP = 0.5
/** And where it is in an interval's first MCU, as even as without, within this factor and levels. */
const EVEN = 1.3
const EVEN_LEVELS = 2
/**
 * Levels by which MCUs must agree better, all together, in a scan with nothing else wrong: sound pictures show 50 where they go
 * on by chance.
 */
const LEAST_GAIN = 256

/**
 * Bits of differences of DC that were turned in whole restart intervals: from the MCU on that it is in up to the next marker,
 * levels are off against both what is above and what is below, and they jump there along the row. One of each interval at most.
 * `hit`: the scan is damaged for sure; then little evidence will do, and the bit may be in an interval's first MCU, too, where
 * nothing in front shows the jump.
 */
export function turnedDcInIntervals(input: IntervalsInput, fit: IntervalFit, hit: boolean): number[] {
  const { layout, interval } = input
  if (interval < LEAST_MCUS) return []
  const bits: number[] = []
  for (let index = 0; index * interval < layout.mcuCount; index++) {
    if (!fit.isWhole(index)) continue
    input.reader.end = fit.endOf(index)
    const off = layout.components.map((_, component) => levelsOff(input, fit, index, component))
    const found = layout.components
      .map((_, component) => likeliestBit(input, fit, index, off, component, hit))
      .filter((each) => each !== undefined)
      .sort((a, b) => b.gain - a.gain)
    if (found.length > 0) bits.push(found[0].bit)
  }
  return bits
}

interface LikelyBit {
  readonly bit: number
  /** Levels by which MCUs agree better with what is above and below, all together. */
  readonly gain: number
}

/** The bit of an interval that explains best why levels of a component are off from some MCU on. */
function likeliestBit(
  input: IntervalsInput,
  fit: IntervalFit,
  index: number,
  off: readonly Float32Array[],
  component: number,
  hit: boolean,
): LikelyBit | undefined {
  const { quantisation, interval, stream } = input
  const from = beginningOf(off[component])
  if (from < 0 || !isWorst(input, fit, index * interval, off[component], from, component)) return undefined
  const first = fit.streamOf(index * interval)
  const behind = off[component].subarray(from)
  const levels = Math.abs(medianOf(behind.slice()))
  const unit = quantisation[component][0] / BLOCK
  let best: LikelyBit | undefined
  const leastGain = hit ? 0 : LEAST_GAIN
  for (
    let mcu = Math.max(0, from - MOST_CHANGED);
    mcu <= from + ASIDE && mcu < off[component].length;
    mcu++
  ) {
    for (const { bit, changes } of changesBehind(input, first + mcu, first + off[component].length)) {
      if (Math.abs(medianOf(behind.map((level) => level + changes[component] * unit))) > LEFT * levels)
        continue
      let gain = 0
      off.forEach((all, i) => {
        const change = (changes[i] * quantisation[i][0]) / BLOCK
        for (let j = mcu; j < all.length; j++) gain += Math.abs(all[j]) - Math.abs(all[j] + change)
      })
      if (gain <= (best?.gain ?? leastGain)) continue
      const { bytes } = input.data
      const near = stream.starts[first + Math.max(0, mcu - ASIDE)]
      const before = fit.stretchCost(index, near, STRETCH)
      bytes[bit >> 3] ^= 0x80 >> (bit & 7)
      const cost = fit.stretchCost(index, near, STRETCH)
      bytes[bit >> 3] ^= 0x80 >> (bit & 7)
      // an edge of the picture's own that lies along the row has no step where it begins
      const jumps = (before - cost) * STRETCH >= GAIN_OF_STEP * levels
      if (jumps || (hit && mcu === 0 && cost <= EVEN * before + EVEN_LEVELS)) best = { bit, gain }
    }
  }
  return best
}

/**
 * Bits of an MCU of the stream that, turned, leave what is behind a few MCUs as it is, up to one at `end`, and what DC changes by
 * there.
 */
function* changesBehind(
  { data: { bytes }, reader, layout, stream: { starts } }: IntervalsInput,
  mcu: number,
  end: number,
): Generator<{ readonly bit: number; readonly changes: Int32Array }> {
  const differences = new Int16Array(layout.blocksPerMcu)
  const changes = new Int32Array(layout.components.length)
  const add = (at: number, sign: number): number => {
    const next = reader.pass(at, differences)
    for (let block = 0; block < layout.blocksPerMcu; block++)
      changes[layout.componentOf[block]] += sign * differences[block]
    return next
  }
  const last = Math.min(end - 1, mcu + MOST_CHANGED)
  for (let bit = starts[mcu]; bit < starts[mcu + 1]; bit++) {
    changes.fill(0)
    let at = starts[mcu]
    bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    let next = mcu
    while (next < last && at >= 0) {
      at = add(at, 1)
      next++
      if (at === starts[next]) break
    }
    bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    if (at !== starts[next]) continue
    for (let i = mcu; i < next; i++) add(starts[i], -1)
    if (changes.some((change) => change !== 0)) yield { bit, changes }
  }
}

/** Levels by which each MCU of an interval is off. */
function levelsOff(input: IntervalsInput, fit: IntervalFit, index: number, component: number): Float32Array {
  const from = index * input.interval
  return Float32Array.from({ length: fit.countOf(index) }, (_, mcu) =>
    levelOff(input, fit, from + mcu, component),
  )
}

/** Levels by which the MCU at a place is off against both its neighbours above and below: where these disagree, none. */
function levelOff(
  { layout, means }: IntervalsInput,
  fit: IntervalFit,
  place: number,
  component: number,
): number {
  const { top, bottom } = means[component]
  const own = fit.streamOf(place)
  const above = fit.streamOf(place - layout.mcuWide)
  const below = fit.streamOf(place + layout.mcuWide)
  if (own < 0 || above < 0 || below < 0) return 0
  const fromAbove = top[own] - bottom[above]
  const fromBelow = bottom[own] - top[below]
  if (fromAbove * fromBelow <= 0) return 0
  return Math.sign(fromAbove) * Math.min(Math.abs(fromAbove), Math.abs(fromBelow))
}

/** Whether MCUs are off by more than those above and those below are: those may be what is wrong. */
function isWorst(
  input: IntervalsInput,
  fit: IntervalFit,
  first: number,
  off: Float32Array,
  from: number,
  component: number,
): boolean {
  const { mcuWide } = input.layout
  const levels = Math.abs(medianOf(off.slice(from)))
  return [-mcuWide, mcuWide].every((aside) => {
    const beside = Float32Array.from({ length: off.length - from }, (_, i) =>
      Math.abs(levelOff(input, fit, first + from + i + aside, component)),
    )
    return medianOf(beside) <= levels
  })
}

/**
 * The MCU from which on levels are off by about as much up to the end, and in front of which they are not; -1 where there is
 * none.
 */
function beginningOf(off: Float32Array): number {
  const sums = new Float64Array(off.length + 1)
  off.forEach((level, i) => {
    sums[i + 1] = sums[i] + level
  })
  const total = sums[off.length]
  let best = -1
  let most = 0
  for (let from = 0; from + LEAST_MCUS <= off.length; from++) {
    const behind = (total - sums[from]) / (off.length - from)
    const front = from === 0 ? 0 : sums[from] / from
    const contrast = Math.abs(behind - front) * Math.sqrt(off.length - from)
    if (contrast <= most) continue
    most = contrast
    best = from
  }
  if (best < 0) return -1
  const from = nearest(off, best)
  const levels = medianOf(off.slice(from))
  const agreeing = off.subarray(from).filter((level) => level / levels >= 0.5).length
  const front = from === 0 ? 0 : medianOf(off.slice(0, from))
  const clear = Math.abs(levels) >= LEAST_LEVELS && Math.abs(front) <= IN_FRONT * Math.abs(levels)
  return clear && agreeing >= AGREEING * (off.length - from) ? from : -1
}

/** The MCU near another from which on all are off by the same best. */
function nearest(off: Float32Array, around: number): number {
  const levels = medianOf(off.slice(around))
  let [best, least, cost] = [around, 0, 0]
  for (let from = around; from > Math.max(0, around - NEAR); from--) {
    cost += Math.abs(off[from - 1] - levels) - Math.abs(off[from - 1])
    if (cost < least) [best, least] = [from - 1, cost]
  }
  cost = 0
  for (let from = around; from < Math.min(off.length - LEAST_MCUS, around + NEAR); from++) {
    cost += Math.abs(off[from]) - Math.abs(off[from] - levels)
    if (cost < least) [best, least] = [from + 1, cost]
  }
  return best
}
