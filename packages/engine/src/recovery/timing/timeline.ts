import { codecNamed } from '../../codecs/index.ts'
import { SAMPLE_ESTIMATED } from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import { withoutFiller } from '../carving/filler.ts'
import type { Lane } from '../carving/lane.ts'
import type { Interleave } from '../learning/learn.ts'
import type { KnownNumbers, Loss } from '../losses/loss.ts'
import { losses } from '../losses/losses.ts'
import { lossesByRow } from '../losses/losses-by-row.ts'
import { withTornUnits } from '../losses/swallowed-bytes.ts'
import { isToldByBytes } from '../losses/told-by-bytes.ts'
import { Pictures } from './picture-times.ts'
import { missesBeat, missesSound, variableRateTimes } from './variable-rate.ts'

/** The times of one lane beyond what its table holds. */
export interface LaneTimes {
  /** Ticks the lane starts after the recording's start, because its first units are lost. */
  readonly startDelay: number
  /** Composition time of the earliest picture in ticks, what an edit list subtracts. */
  readonly compositionShift: number
  readonly losses: readonly Loss[]
  readonly estimated: boolean
  /** Pictures came at no even rate, and nothing tells when each one did; or which units are the lane's own was partly guessed. */
  readonly untimed: boolean
}

/**
 * Gives every recovered row its times. Pictures are shown in the order their headers tell, at the recording's rate; what
 * a hole swallowed keeps its length in every lane, so that sound and picture stay together behind it. `parted`: places without a
 * hole where something is missing.
 */
export function timeline(
  lanes: readonly Lane[],
  interleave: Interleave,
  seen: readonly Hole[],
  parted: readonly Hole[] = [],
): LaneTimes[] {
  const torn = withTornUnits(lanes, withoutFiller(lanes, seen, interleave.filler))
  const holes = parted.length === 0 ? torn : [...torn, ...parted].sort((a, b) => a.offset - b.offset)
  const pictures = lanes.map((lane) =>
    isPicture(lane) ? new Pictures(lane, holes, interleave.lanes[lane.index].asDecoded) : undefined,
  )
  const known: KnownNumbers = (lane, row) => pictures[lane]?.numbersBefore(row)
  const lost = losses(lanes, interleave, holes, known)
  // sound first: its clock times pictures of a variable rate
  const shifts = lanes.map((lane) => (pictures[lane.index] ? 0 : assignInOrder(lane, lost[lane.index])))
  for (const lane of lanes) {
    const found = pictures[lane.index]
    if (!found) continue
    if (interleave.lanes[lane.index].onGrid) found.readTimes()
    shifts[lane.index] = found.assign(interleave.lanes[lane.index].unitDuration, lost[lane.index])
  }
  const starts = lanes.map((lane) => lost[lane.index].find((loss) => loss.row === 0)?.seconds ?? 0)
  const early = beginsEarly(lanes[interleave.reference], interleave, pictures[interleave.reference], holes)
  starts[interleave.reference] -= early
  const before = Math.max(0, -starts[interleave.reference])
  for (let lane = 0; lane < starts.length; lane++) starts[lane] += before
  const timed = retime(lanes, interleave, pictures, holes, starts, shifts)
  const isSoundAlone = heardAlone(lanes, interleave, lost)
  const broken = lanes.some((lane) => losesInside(lane, interleave, lost[lane.index], isSoundAlone))
  return lanes.map((lane) => {
    return {
      startDelay: Math.round(starts[lane.index] * lane.description.timescale),
      compositionShift: shifts[lane.index],
      losses: lost[lane.index],
      estimated:
        lost[lane.index].some((loss) => loss.estimated && loss.row > 0) ||
        timed[lane.index] === 'closely' ||
        timed[lane.index] === 'loosely' ||
        (timed[lane.index] !== 'told' && lane.table.length > 1 && !interleave.lanes[lane.index].constantRate),
      untimed:
        timed[lane.index] === 'loosely' ||
        timed[lane.index] === 'vaguely' ||
        isUntimed(lane, interleave, timed[lane.index]) ||
        (timed[lane.index] === 'evenly' && maySkip(lane, interleave)) ||
        isBlind(lane, interleave, holes) ||
        lost[lane.index].some((loss) => isUncertain(loss, lane)) ||
        (broken && isPicture(lane) && !interleave.lanes[lane.index].constantRate),
    }
  })
}

/**
 * Whether a lane may lie elsewhere behind a loss, or the whole of it behind a lost head: there is nothing before its first row
 * otherwise.
 */
function isUncertain({ row, uncertain, hole }: Loss, { table }: Lane): boolean {
  const isStart = hole.rows.every((rows) => rows === 0)
  return uncertain && row < table.length && (row > 0 || isStart)
}

/**
 * Seconds by which pictures of a steady rate begin earlier than their count tells, because the recording's head is lost: those
 * that come between its first ones in the order they are shown were decoded before them, and lost with it.
 */
function beginsEarly(
  lane: Lane,
  { lanes }: Interleave,
  pictures: Pictures | undefined,
  holes: readonly Hole[],
): number {
  const { unitDuration, steady } = lanes[lane.index]
  const { table, description } = lane
  if (!pictures || !steady || !beginsInHole(holes)) return 0
  const until = Math.min(
    table.length,
    holes.find(({ rows }) => rows[lane.index] > 0)?.rows[lane.index] ?? table.length,
  )
  const extra = Float64Array.from(
    { length: until },
    (_, row) => table.dts[row] - table.dts[0] - row * unitDuration,
  )
  const usual = extra.sort()[until >> 1] ?? 0
  return Math.max(0, Math.round(usual / unitDuration) * unitDuration) / description.timescale
}

/** Whether nothing was found in front of the first hole. */
function beginsInHole(holes: readonly Hole[]): boolean {
  return holes.length > 0 && holes[0].rows.every((row) => row === 0)
}

/**
 * How a lane's units got their times: at an even rate; by what each says, or says though the sound around them says otherwise or
 * their times begin anew; by the sound around each, or only around runs of them.
 */
type Timing = 'evenly' | 'told' | 'vaguely' | 'closely' | 'loosely'

/**
 * Pictures of a variable rate that were laid out evenly for want of a clock. One that jitters about a mean may have another later
 * on, as cameras take fewer pictures in the dark: even sound beside them would tell. And sound that lasts evenly as the sample's
 * does not.
 */
function isUntimed(lane: Lane, { lanes, lag, reference, sound }: Interleave, timed: Timing): boolean {
  const { steady, constantRate } = lanes[lane.index]
  if (timed !== 'evenly' || lane.table.length < 2 || constantRate) return false
  if (lane.description.kind === 'audio') return lastsEvenly(lane)
  const isHeard = lag !== undefined && !lag.drifts && lane.index === reference && lanes[sound].constantRate
  return lane.description.kind === 'video' && !(steady && isHeard)
}

/** Share of units that last otherwise where nothing but holes is why. */
const OTHERWISE = 0.02

/** Whether nearly all units last equally long. */
function lastsEvenly({ table: { length, duration, count } }: Lane): boolean {
  const each = duration.subarray(0, length).map((ticks, row) => ticks / count[row])
  const usual = each.slice().sort()[length >> 1]
  return each.filter((ticks) => ticks !== usual).length <= length * OTHERWISE + 1
}

/** Pictures that may be missing or late as the sample's are, where the sound around each is too far away to tell. */
function maySkip(lane: Lane, { lanes, reference, lag }: Interleave): boolean {
  const { skips, unitDuration } = lanes[lane.index]
  if (!skips || lane.description.kind !== 'video' || lane.table.length < 3) return false
  const isHeard = lag !== undefined && lane.index === reference
  return !isHeard || lag.high - lag.low > unitDuration / lane.description.timescale
}

/** Pictures that nobody reads the order of: where they are shown in another, or some are lost, nothing tells when. */
function isBlind(
  { description, recogniser, table, index }: Lane,
  { lanes }: Interleave,
  holes: readonly Hole[],
): boolean {
  const isRead = recogniser?.orderPeriod !== undefined || codecNamed(description.codec) !== undefined
  if (description.kind !== 'video' || isRead || table.length < 2) return false
  return holes.length > 0 || (lanes[index].ahead ?? 1) > 0
}

/** Moves the reference pictures to the sound clock where their rate is variable. Returns how each lane was timed. */
function retime(
  lanes: readonly Lane[],
  interleave: Interleave,
  pictures: readonly (Pictures | undefined)[],
  holes: readonly Hole[],
  starts: number[],
  shifts: number[],
): Timing[] {
  const timed = lanes.map((): Timing => 'evenly')
  const { reference, sound, lag } = interleave
  const found = pictures[reference]
  for (const { index } of lanes)
    if (pictures[index]?.tellsTimes) timed[index] = pictures[index].beginsAnew ? 'vaguely' : 'told'
  if (!lag || lanes[reference].description.kind !== 'video') return timed
  const {
    unitDuration,
    constantRate,
    steady,
    jitter,
    ahead,
    steps,
    pace = unitDuration,
  } = interleave.lanes[reference]
  if (lag.drifts && steady) return timed
  // sound of an uneven rate tells nothing against pictures of an even one
  if (steady && !found?.tellsTimes && !interleave.lanes[sound].constantRate) return timed
  const timescales = lanes.map((lane) => lane.description.timescale)
  const atHead = beginsInHole(holes)
  const heard = {
    tables: lanes.map((lane) => lane.table),
    timescales,
    picture: reference,
    sound,
    lag,
    isHeadLost: atHead,
    unit: unitDuration / timescales[reference],
    start: atHead && !steady ? undefined : starts[reference] - starts[sound],
  }
  if (found?.tellsTimes) {
    if (missesSound(heard)) timed[reference] = 'vaguely'
    return timed
  }
  const variable = variableRateTimes({
    ...heard,
    jitter: jitter / timescales[reference],
    pace: pace / timescales[reference],
    steps,
    knownVariable: !constantRate,
  })
  if (!variable) {
    if (missesBeat(heard)) timed[reference] = 'vaguely'
    return timed
  }
  if (atHead && !steady) {
    starts[reference] = Math.max(0, variable.start)
    starts[sound] = Math.max(0, -variable.start)
  }
  if (found) shifts[reference] = found.assignTimes(variable.times, unitDuration, ahead)
  else assignOneByOne(lanes[reference], variable.times)
  // against a sample of an even rate sound that lacks a packet speaks as pictures that were left out do
  const isLoose =
    variable.loose ||
    constantRate ||
    lag.rough === true ||
    (ahead === undefined && found?.isReordered === true)
  timed[reference] = isLoose ? 'loosely' : 'closely'
  return timed
}

/**
 * Whether a lane lost units between others, how many nothing but clocks tells: without a constant rate of the pictures those do
 * not tell for certain how long that took.
 */
function losesInside(
  { table, description, index }: Lane,
  { lanes }: Interleave,
  lost: readonly Loss[],
  isSoundAlone: (hole: Hole) => boolean,
): boolean {
  const unit = lanes[index].unitDuration / description.timescale
  return lost.some(({ row, seconds, hole }) => {
    if (row === 0 || row >= table.length || seconds <= unit / 2) return false
    return !isSoundAlone(hole) || !isToldByBytes(table, row, Math.round(seconds / unit), hole)
  })
}

/** Tells the holes that took nothing but units of sound: that no picture is missing their numbering says. */
function heardAlone(
  lanes: readonly Lane[],
  { sound }: Interleave,
  lost: readonly (readonly Loss[])[],
): (hole: Hole) => boolean {
  const others = new Set<Hole>()
  for (const { index, description } of lanes) {
    if (index === sound) continue
    const isPicture = description.kind === 'video'
    for (const { seconds, estimated, hole } of lost[index])
      if (seconds > 0 || (isPicture && estimated)) others.add(hole)
  }
  return (hole) => !others.has(hole)
}

function isPicture(lane: Lane): boolean {
  return lane.description.kind === 'video' && lane.recogniser !== undefined
}

/** Pictures shown in the order they lie in, at times known in seconds; the last one keeps its duration. */
function assignOneByOne({ table, description }: Lane, times: Float64Array): void {
  for (let row = 0; row < table.length; row++) table.dts[row] = Math.round(times[row] * description.timescale)
  for (let row = 1; row < table.length; row++) table.duration[row - 1] = table.dts[row] - table.dts[row - 1]
}

/** Decoding times of a lane without reordering: durations one after another, losses between. Returns its composition shift, 0. */
function assignInOrder(lane: Lane, lost: readonly Loss[]): number {
  const { table, description } = lane
  const before = lossesByRow(lost)
  let time = 0
  for (let row = 0; row < table.length; row++) {
    const loss = row > 0 ? before.get(row) : undefined
    if (loss) {
      const ticks = loss.seconds * description.timescale
      table.duration[row - 1] += Math.round(ticks)
      if (ticks > 0) table.flags[row] |= SAMPLE_ESTIMATED
      time += ticks
    }
    table.dts[row] = Math.round(time)
    table.cts[row] = 0
    time += table.duration[row]
  }
  return 0
}
