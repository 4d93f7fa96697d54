import { countBelow } from '../../model/bisect.ts'
import { SAMPLE_ESTIMATED, SAMPLE_KEY, SAMPLE_RESTART, type SampleTable } from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import { isNumbered, type Lane } from '../carving/lane.ts'
import type { KnownNumbers, Loss } from '../losses/loss.ts'
import { lossesByRow } from '../losses/losses-by-row.ts'
import { isZeroBased, lackedLeading, leadingAt, modulo, numberingAt } from '../losses/numbering.ts'
import { catchUp } from './late-numbers.ts'
import {
  codedSequences,
  displayOrder,
  gridStep,
  missingPictures,
  orderStep,
  parted,
  reorderDepth,
  type Sequence,
} from './picture-order.ts'

/** A loss within a coded sequence: these stand in the order of their rows. */
interface InnerLoss {
  readonly row: number
  readonly ticks: number
}

/**
 * Display times of a picture lane: in the order that the headers tell, or as they are decoded where that is how recordings of its
 * writer show them; at an even rate, by times that the numbering is, or at times given.
 */
export class Pictures {
  readonly #lane: Lane
  readonly #asDecoded: boolean
  #sequences: Sequence[]
  /** Order step where the numbering counts pictures, else 0. */
  #step: number
  /** The numbering is a time. */
  #isTime = false
  /** Rows behind holes, rising. */
  readonly #holeRows: number[]
  readonly #zeroBased: boolean
  readonly #depth: number
  readonly #leading: number
  /** Numbers go on over key pictures, but for whole periods. */
  readonly #linked: boolean
  /** Pictures that the numbering misses, by the row behind the hole that took them. */
  #missing: Map<number, number>

  constructor(lane: Lane, holes: readonly Hole[], asDecoded = false) {
    this.#lane = lane
    this.#asDecoded = asDecoded
    this.#holeRows = holes.map((hole) => hole.rows[lane.index])
    this.#linked = lane.recogniser ? catchUp(lane.table, this.#holeRows, lane.recogniser) : false
    this.#sequences = codedSequences(lane.table)
    const pieces = parted(this.#sequences, this.#holeRows)
    this.#step = isNumbered(lane) ? orderStep(lane.table, pieces, this.#holeRows) : 0
    this.#depth = reorderDepth(lane.table, pieces, this.#step)
    this.#zeroBased = isZeroBased(lane.table)
    this.#leading = this.#countLeading()
    this.#missing = this.#countMissing()
  }

  /** Takes the numbering for times, where the codec's are and they lie on the grid of a rate. */
  readTimes(): void {
    const step =
      this.#lane.recogniser?.orderIsTime && !this.#asDecoded ? gridStep(this.#lane.table, this.#sequences) : 0
    if (step === 0) return
    this.#step = step
    this.#isTime = true
  }

  get tellsTimes(): boolean {
    return this.#isTime
  }

  /** Whether numbers begin anew where nothing is lost: how long after the last picture before, they do not tell. */
  get beginsAnew(): boolean {
    const behindHoles = new Set(this.#holeRows)
    return this.#sequences.some(({ first }) => first > 0 && !behindHoles.has(first))
  }

  /** Pictures that come before its key picture in every sequence that lacks none around it. */
  #countLeading(): number {
    if (this.#step === 0) return 0
    const whole = this.#sequences.filter(({ first, end }) => {
      const hole = countBelow(this.#holeRows, first)
      return end - first > 1 && (this.#holeRows[hole] ?? Number.POSITIVE_INFINITY) > end
    })
    const leading = whole.map(({ first, end }) => leadingAt(this.#lane.table, first, end, this.#step))
    return leading.length > 0 ? Math.min(...leading) : 0
  }

  #countMissing(): Map<number, number> {
    if (this.#step === 0) return new Map()
    return missingPictures(this.#lane.table, this.#sequences, this.#step, this.#holeRows)
  }

  /** Whether some picture is shown in another turn than it is decoded in. */
  get isReordered(): boolean {
    return this.#sequences.some((sequence) =>
      this.#shownOrder(sequence).some((row, turn) => row !== sequence.first + turn),
    )
  }

  /** Rows of one sequence in the order they are shown in. */
  #shownOrder({ first, end }: Sequence): Uint32Array {
    if (this.#asDecoded) return Uint32Array.from({ length: end - first }, (_, turn) => first + turn)
    return displayOrder(this.#lane.table, { first, end })
  }

  /** What the numbering tells of the pictures lost before `row`. */
  numbersBefore(row: number): ReturnType<KnownNumbers> {
    const at = countBelow(this.#holeRows, row)
    const numbering = numberingAt(this.#lane.table, row, {
      step: this.#step,
      period: this.#lane.recogniser?.orderPeriod ?? 0,
      lastHole: at > 0 ? this.#holeRows[at - 1] : 0,
      nextHole: this.#holeRows[countBelow(this.#holeRows, row + 1)] ?? this.#lane.table.length,
      zeroBased: this.#zeroBased,
      depth: this.#depth,
      leading: this.#leading,
      linked: this.#linked,
    })
    return numbering && { numbering, counted: this.#missing.get(row) ?? 0 }
  }

  /** Fills dts, cts and duration. Returns the composition shift in ticks. */
  assign(unit: number, lost: readonly Loss[]): number {
    const { table, description } = this.#lane
    this.#relink(lost)
    const before = lossesByRow(lost)
    if (this.#asDecoded) return finish(this.#lane, this.#timesDecoded(unit, before), unit)
    const pts = new Float64Array(table.length)
    const rowsWithLoss = [...before.keys()].sort((a, b) => a - b)
    let base = 0
    let next = 0
    /** Ticks lost within the last sequence beyond what its numbering misses: pictures shown behind all that it has. */
    let beyond = 0
    for (const sequence of this.#sequences) {
      const inside: InnerLoss[] = []
      for (; next < rowsWithLoss.length && rowsWithLoss[next] < sequence.end; next++) {
        const row = rowsWithLoss[next]
        const ticks = (before.get(row)?.seconds ?? 0) * description.timescale
        if (row > sequence.first) {
          inside.push({ row, ticks })
        } else if (row > 0) {
          // the pictures that the last sequence's numbering misses have their place there already
          const placed =
            (this.#missing.get(row) ?? 0) + this.#shownLater(sequence, before.get(row)?.behindKey)
          const extra = Math.max(0, beyond + ticks - placed * unit)
          beyond = 0
          base += extra
          if (extra > 0) table.flags[row] |= SAMPLE_ESTIMATED
        }
      }
      const damaged =
        this.#isTime ||
        inside.length > 0 ||
        before.has(sequence.first) ||
        this.#missing.has(sequence.end) ||
        (this.#step > 0 && breaksOff(table, sequence, this.#step))
      base += Math.max(0, beyond)
      beyond = this.#beyond(inside, unit)
      const ahead = Math.min(Math.max(0, beyond), this.#unled(sequence) * unit)
      base = this.#assignSequence(sequence, unit, inside, damaged, base + ahead, pts)
      beyond -= ahead
    }
    return finish(this.#lane, pts, unit)
  }

  /** Times of pictures that are shown as they are decoded: what holes took lies where they are. */
  #timesDecoded(unit: number, before: ReturnType<typeof lossesByRow>): Float64Array {
    const { table, description } = this.#lane
    const times = new Float64Array(table.length)
    let lost = 0
    for (let row = 1; row < table.length; row++) {
      const ticks = (before.get(row)?.seconds ?? 0) * description.timescale
      if (ticks > 0) table.flags[row] |= SAMPLE_ESTIMATED
      lost += ticks
      times[row] = row * unit + lost
    }
    return times
  }

  /** Pictures that come before the key picture in every other sequence, and in this one do not. */
  #unled({ first, end }: Sequence): number {
    const { table } = this.#lane
    if (this.#leading === 0 || (table.flags[first] & SAMPLE_KEY) === 0) return 0
    const hole = this.#holeRows[countBelow(this.#holeRows, first + 1)]
    if (hole === undefined || hole >= end) return 0
    return lackedLeading(table, first, hole, end, this.#step, this.#leading)
  }

  /** Ticks of pictures that holes within a sequence took and that its numbering has no place for. */
  #beyond(inside: readonly InnerLoss[], unit: number): number {
    if (this.#step === 0) return 0
    return inside.reduce((sum, { row, ticks }) => sum + ticks - (this.#missing.get(row) ?? 0) * unit, 0)
  }

  /**
   * Pictures that a hole took with the beginning of `sequence` and that have their place among those behind it: `behindKey` of
   * them were decoded behind the key picture, and those below the lowest number found are shown before it.
   */
  #shownLater({ first, end }: Sequence, behindKey: number | undefined): number {
    if (behindKey === undefined || this.#step === 0) return 0
    const { table, recogniser } = this.#lane
    const lowest = table.order.subarray(first, end).reduce((least, order) => Math.min(least, order))
    const period = Math.round((recogniser?.orderPeriod ?? 0) / this.#step)
    const number = Math.round(lowest / this.#step)
    return Math.max(0, behindKey + 1 - (period > 0 ? modulo(number, period) : number))
  }

  /** Makes the numbering go on behind each hole as it was found to. */
  #relink(lost: readonly Loss[]): void {
    const { table } = this.#lane
    const turnedOn = lost.filter(({ link, row }) => link !== 'told' && row > 0 && row < table.length)
    if (turnedOn.length === 0) return
    const shifts = new Map<number, number>()
    for (const { link, row } of turnedOn) {
      const numbers = typeof link === 'number' ? this.numbersBefore(row) : undefined
      if (typeof link === 'number' && numbers)
        shifts.set(row, (link - numbers.numbering.missing) * this.#step)
    }
    for (const { link, row } of turnedOn) {
      if (link === 'anew') table.flags[row] |= SAMPLE_RESTART
      else table.flags[row] &= ~SAMPLE_RESTART
    }
    let shift = 0
    for (let row = turnedOn[0].row; row < table.length; row++) {
      if (table.flags[row] & SAMPLE_RESTART) shift = 0
      shift += shifts.get(row) ?? 0
      table.order[row] += shift
    }
    this.#sequences = codedSequences(table)
    this.#missing = this.#countMissing()
  }

  /**
   * As `assign`, with the decoding times known in seconds; the encoder decodes `ahead` places before showing, or, where that is
   * not known, no more than it must. Some keep both clocks one fixed time apart instead: theirs is 0, however pictures are
   * reordered.
   */
  assignTimes(times: Float64Array, unit: number, ahead: number | undefined): number {
    const { table, description } = this.#lane
    const rank = new Uint32Array(table.length)
    let next = 0
    for (const sequence of this.#sequences) for (const row of this.#shownOrder(sequence)) rank[row] = next++
    const delay = ahead ?? rank.reduce((most, place, row) => Math.max(most, row - place), 0)
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
    inside: readonly InnerLoss[],
    damaged: boolean,
    base: number,
    pts: Float64Array,
  ): number {
    const { table } = this.#lane
    const rows = displayOrder(table, sequence)
    if (this.#step > 0 && damaged) {
      const lowest = firstNumber(table, rows, this.#step)
      for (const row of rows) pts[row] = base + ((table.order[row] - lowest) / this.#step) * unit
      pts[rows[0]] = base
      const highest = table.order[rows[rows.length - 1]]
      return base + ((highest - lowest) / this.#step + 1) * unit
    }
    // the numbering does not count pictures: rank, plus what each hole before the picture, or before one shown earlier, cost
    const behind = inside.map(({ row }) => row)
    const lost = [0]
    for (const { ticks } of inside) lost.push(lost[lost.length - 1] + ticks)
    let rank = 0
    let extra = 0
    for (const row of rows) {
      extra = Math.max(extra, lost[countBelow(behind, row + 1)])
      pts[row] = base + rank * unit + extra
      rank++
    }
    return base + rank * unit + extra
  }
}

/**
 * The number of the first of some rows in display order. Where it alone stands between the steps of the others, their numbers
 * were cut to whole ones: at 15 pictures a second H.263 counts 0, 1, 3, 5, … of 29.97, and the first is a whole step before the
 * second.
 */
function firstNumber({ order }: SampleTable, rows: Uint32Array, step: number): number {
  const lowest = order[rows[0]]
  if (rows.length < FEW_NUMBERS) return lowest
  const rest = modulo(order[rows[1]], step)
  if (modulo(lowest, step) === rest || rows.some((row, i) => i > 0 && modulo(order[row], step) !== rest))
    return lowest
  return lowest - modulo(lowest - rest, step)
}

/** Numbers below which they show nothing of how they were counted. */
const FEW_NUMBERS = 4

/** Pictures that are shown after one that was to be decoded behind all of them, at the most. */
const AHEAD = 16

/** Whether the recording ended within this sequence, before pictures were written that come between others of it. */
function breaksOff(table: SampleTable, sequence: Sequence, step: number): boolean {
  if (sequence.end !== table.length) return false
  const rows = displayOrder(table, sequence)
  const gap = rows.findIndex((row, i) => i > 0 && table.order[row] - table.order[rows[i - 1]] > step)
  return gap > 0 && rows.length - gap <= AHEAD
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
