import { SAMPLE_ESTIMATED } from '../model/sample-table.ts'
import type { Hole } from './assembler.ts'
import type { Lane } from './lane.ts'
import type { Interleave } from './learn.ts'
import { type KnownLoss, type Loss, losses } from './losses.ts'
import { codedSequences, displayOrder, orderStep, type Sequence } from './picture-order.ts'
import { variableRateTimes } from './variable-rate.ts'

/** The times of one lane beyond what its table holds. */
export interface LaneTimes {
  /** Ticks the lane starts after the recording's start, because its first units are lost. */
  readonly startDelay: number
  /** Composition time of the earliest picture in ticks, what an edit list subtracts. */
  readonly compositionShift: number
  readonly losses: readonly Loss[]
  readonly estimated: boolean
}

/**
 * Gives every recovered row its times. Pictures are shown in the order their headers tell, at the recording's rate; what
 * a hole swallowed keeps its length in every lane, so that sound and picture stay together behind it.
 */
export function timeline(
  lanes: readonly Lane[],
  interleave: Interleave,
  holes: readonly Hole[],
): LaneTimes[] {
  const pictures = lanes.map((lane) => (isPicture(lane) ? new Pictures(lane) : undefined))
  const known: KnownLoss = (lane, row) => pictures[lane]?.missingBefore(row, holes)
  const lost = losses(lanes, interleave, holes, known)
  // sound first: its clock times pictures of a variable rate
  const shifts = lanes.map((lane) => (pictures[lane.index] ? 0 : assignInOrder(lane, lost[lane.index])))
  for (const lane of lanes) {
    const found = pictures[lane.index]
    if (!found) continue
    shifts[lane.index] = found.assign(interleave.lanes[lane.index].unitDuration, lost[lane.index])
  }
  const variable = retime(lanes, interleave, pictures, shifts)
  return lanes.map((lane) => {
    const first = lost[lane.index].find((loss) => loss.row === 0)
    return {
      startDelay: Math.round((first?.seconds ?? 0) * lane.description.timescale),
      compositionShift: shifts[lane.index],
      losses: lost[lane.index],
      estimated: lost[lane.index].some((loss) => loss.estimated && loss.row > 0) || variable === lane.index,
    }
  })
}

/** Moves the reference pictures to the sound clock where their rate is variable. Returns their lane, or -1 when it is constant. */
function retime(
  lanes: readonly Lane[],
  interleave: Interleave,
  pictures: readonly (Pictures | undefined)[],
  shifts: number[],
): number {
  const { reference, sound, lag } = interleave
  const found = pictures[reference]
  if (!found || !lag) return -1
  const { unitDuration, constantRate, jitter } = interleave.lanes[reference]
  const tables = lanes.map((lane) => lane.table)
  const timescales = lanes.map((lane) => lane.description.timescale)
  const unit = unitDuration / timescales[reference]
  const times = variableRateTimes(
    tables,
    timescales,
    reference,
    sound,
    lag,
    unit,
    !constantRate,
    jitter / timescales[reference],
  )
  if (!times) return -1
  shifts[reference] = found.assignTimes(times, unitDuration)
  return reference
}

function isPicture(lane: Lane): boolean {
  return lane.description.kind === 'video' && lane.recogniser !== undefined
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

/** Losses by the row they lie before; several before one row are added. */
function lossesByRow(lost: readonly Loss[]): Map<number, { seconds: number }> {
  const byRow = new Map<number, { seconds: number }>()
  for (const { row, seconds } of lost) {
    const known = byRow.get(row)
    if (known) known.seconds += seconds
    else byRow.set(row, { seconds })
  }
  return byRow
}

/** Display times of a picture lane. */
class Pictures {
  readonly #lane: Lane
  readonly #sequences: Sequence[]
  /** Order step where the numbering counts pictures, else 0. */
  readonly #step: number

  constructor(lane: Lane) {
    this.#lane = lane
    this.#sequences = codedSequences(lane.table)
    this.#step = orderStep(lane.table, this.#sequences)
  }

  /** Pictures missing before `row`, from the numbering: undefined where a new sequence begins or the numbering is none. */
  missingBefore(row: number, holes: readonly Hole[]): number | undefined {
    if (this.#step === 0 || row === 0) return undefined
    const sequence = this.#sequences[sequenceOf(this.#sequences, row)]
    if (row <= sequence.first || row >= sequence.end) return undefined
    const { table, index } = this.#lane
    const later = firstAbove(holes, index, row)
    const until = Math.min(later, sequence.end)
    const before = span(table.order, sequence.first, row)
    const through = span(table.order, sequence.first, until)
    const missing = (to: { low: number; high: number }, count: number): number =>
      Math.round((to.high - to.low) / this.#step) + 1 - count
    return Math.max(
      0,
      missing(through, until - sequence.first) - Math.max(0, missing(before, row - sequence.first)),
    )
  }

  /** Fills dts, cts and duration. Returns the composition shift in ticks. */
  assign(unit: number, lost: readonly Loss[]): number {
    const { table, description } = this.#lane
    const pts = new Float64Array(table.length)
    const before = lossesByRow(lost)
    const rowsWithLoss = [...before.keys()].sort((a, b) => a - b)
    let base = 0
    let next = 0
    for (const sequence of this.#sequences) {
      const inside: { row: number; ticks: number }[] = []
      for (; next < rowsWithLoss.length && rowsWithLoss[next] < sequence.end; next++) {
        const row = rowsWithLoss[next]
        const ticks = (before.get(row)?.seconds ?? 0) * description.timescale
        if (row > sequence.first) inside.push({ row, ticks })
        else if (row > 0) {
          base += ticks
          if (ticks > 0) table.flags[row] |= SAMPLE_ESTIMATED
        }
      }
      base = this.#assignSequence(sequence, unit, inside, base, pts)
    }
    return finish(this.#lane, pts, unit)
  }

  /** As `assign`, with the decoding times known in seconds. */
  assignTimes(times: Float64Array, unit: number): number {
    const { table, description } = this.#lane
    const rank = new Uint32Array(table.length)
    let next = 0
    for (const sequence of this.#sequences)
      for (const row of displayOrder(table, sequence)) rank[row] = next++
    let delay = 0
    for (let row = 0; row < table.length; row++) delay = Math.max(delay, row - rank[row])
    const pts = new Float64Array(table.length)
    const last = table.length - 1
    for (let row = 0; row < table.length; row++) {
      const at = rank[row] + delay
      const beyond = Math.max(0, at - last)
      pts[row] =
        (times[Math.min(at, last)] - times[Math.min(delay, last)]) * description.timescale + beyond * unit
    }
    return finish(this.#lane, pts, unit)
  }

  /** Display times of one coded sequence that starts at `base` ticks. Returns where the next one starts. */
  #assignSequence(
    sequence: Sequence,
    unit: number,
    inside: readonly { row: number; ticks: number }[],
    base: number,
    pts: Float64Array,
  ): number {
    const { table } = this.#lane
    const rows = displayOrder(table, sequence)
    if (this.#step > 0 && inside.length > 0) {
      const lowest = table.order[rows[0]]
      for (const row of rows) pts[row] = base + ((table.order[row] - lowest) / this.#step) * unit
      const highest = table.order[rows[rows.length - 1]]
      return base + ((highest - lowest) / this.#step + 1) * unit
    }
    // the numbering does not count pictures: rank, plus what each hole before the picture cost
    let rank = 0
    let extra = 0
    for (const row of rows) {
      extra = inside.reduce((sum, loss) => (loss.row <= row ? sum + loss.ticks : sum), 0)
      pts[row] = base + rank * unit + extra
      rank++
    }
    return base + rank * unit + extra
  }
}

/** The sequence that holds `row`. */
function sequenceOf(sequences: readonly Sequence[], row: number): number {
  let low = 0
  let high = sequences.length - 1
  while (low < high) {
    const mid = (low + high + 1) >> 1
    if (sequences[mid].first <= row) low = mid
    else high = mid - 1
  }
  return low
}

/** The first row of a lane behind a hole, above `row`; Infinity when no hole follows. */
function firstAbove(holes: readonly Hole[], lane: number, row: number): number {
  let low = 0
  let high = holes.length
  while (low < high) {
    const mid = (low + high) >> 1
    if (holes[mid].rows[lane] > row) high = mid
    else low = mid + 1
  }
  return low < holes.length ? holes[low].rows[lane] : Number.POSITIVE_INFINITY
}

/** Decoding times from display times: the same instants in rising order, so that no composition offset is negative. */
function finish(lane: Lane, pts: Float64Array, unit: number): number {
  const { table } = lane
  const sorted = pts.slice().sort()
  let shift = 0
  for (let row = 0; row < table.length; row++)
    shift = Math.max(shift, Math.round(sorted[row]) - Math.round(pts[row]))
  for (let row = 0; row < table.length; row++) {
    table.dts[row] = Math.round(sorted[row])
    table.cts[row] = Math.round(pts[row]) - table.dts[row] + shift
    const next = row + 1 < table.length ? Math.round(sorted[row + 1]) : table.dts[row] + Math.round(unit)
    table.duration[row] = next - table.dts[row]
  }
  return shift
}

function span(order: Int32Array, first: number, end: number): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let row = first; row < end; row++) {
    low = Math.min(low, order[row])
    high = Math.max(high, order[row])
  }
  return { low, high }
}
