import type { ByteReader } from '../../../bytes/reader.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED, type SampleTable } from '../../../model/sample-table.ts'
import { CLOCK } from '../../../syntax/pes/time-stamp.ts'
import type { PidStream } from '../read/stream.ts'

/**
 * A longer step of a clock that says nothing of it is a jump: references may lie a tenth of a second apart, ISO/IEC 13818-1:2022
 * §2.7.2.
 */
const LONGEST_STEP = 10 * CLOCK
/** By how much the steps of streams over a jump may differ: they do not begin a picture at the same moment. */
const APART = 2 * CLOCK
/** Steps on both sides of a jump that tell a stream's rhythm, and by how many ticks they may differ in an even one. */
const AROUND = 6
const EVEN = 2
/** Rows looked at around a jump's place. */
const NEAR = 64
/** discontinuity_indicator, in the byte in front of a clock reference, §2.4.3.4. */
const ANNOUNCED = 0x80

/** A place from which on all times of the file are off by as much. */
export interface ClockJump {
  /** Where the first clock reference behind it stands. */
  readonly offset: number
  /** Ticks of 90 kHz that all times behind it are to be less. */
  readonly ticks: number
  /** A stream that goes on evenly tells them, not one whose steps vary. */
  readonly sure: boolean
  /** First PES packet of each stream behind it, by PID. */
  readonly rows: ReadonlyMap<number, number>
}

/** Jumps looked for, the first ones: each is held against every row, and recordings joined a thousand times are none. */
const MOST_JUMPS = 1024

/**
 * Places where the clock jumps without saying so although nothing is missing: the times of all streams jump with it, and what
 * they carry goes on. Where streams disagree, or something was lost, the clock may be right.
 */
export function findClockJumps(reader: ByteReader, streams: readonly PidStream[]): ClockJump[] {
  const clocks = streams.find((stream) => stream.clocks)?.clocks
  const carriers = streams.filter(({ table }) => table && table.length > 0)
  const jumps: ClockJump[] = []
  for (let i = 2; clocks && i + 1 < clocks.length && jumps.length < MOST_JUMPS; i++) {
    const step = clocks.dts[i] - clocks.dts[i - 1]
    const isLasting = [i - 1, i + 1].every((k) => isStep(clocks.dts[k] - clocks.dts[k - 1]))
    if (isStep(step) || !isLasting) continue
    const offset = clocks.offset[i]
    if (reader.u8(offset - 1) & ANNOUNCED) continue
    const jump = jumpAt(offset, step, carriers)
    if (jump) jumps.push(jump)
  }
  return jumps
}

function isStep(ticks: number): boolean {
  return Math.abs(ticks) <= LONGEST_STEP
}

function jumpAt(offset: number, step: number, carriers: readonly PidStream[]): ClockJump | undefined {
  const rows = new Map<number, number>()
  let even: number | undefined
  let usual: number | undefined
  for (const { pid, table } of carriers) {
    if (!table || table.offset[0] > offset || table.offset[table.length - 1] < offset) continue
    const row = jumpingRow(table, offset, step)
    if (row < 0) return undefined
    rows.set(pid, row)
    const steps = stepsAround(table, row)
    const own = steps[steps.length >> 1]
    if (own === undefined) continue
    const ticks = table.dts[row] - table.dts[row - 1] - own
    usual ??= ticks
    if (steps[steps.length - 1] - steps[0] <= EVEN) even ??= ticks
  }
  const ticks = even ?? usual
  return ticks === undefined ? undefined : { offset, ticks, sure: even !== undefined, rows }
}

/** The row near `offset` with which a stream's times jump by `step`, nothing missing in front of it; -1 where there is none. */
function jumpingRow(table: SampleTable, offset: number, step: number): number {
  let low = 0
  let high = table.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (table.offset[middle] < offset) low = middle + 1
    else high = middle
  }
  for (let row = Math.max(1, low - NEAR); row < Math.min(table.length, low + NEAR); row++) {
    if (Math.abs(table.dts[row] - table.dts[row - 1] - step) > APART) continue
    const isHit = table.flags[row - 1] & SAMPLE_DAMAGED || table.flags[row] & SAMPLE_AFTER_HOLE
    return isHit ? -1 : row
  }
  return -1
}

/** Steps of a stream's times around a jump, the shortest first. */
function stepsAround(table: SampleTable, row: number): number[] {
  const steps: number[] = []
  for (let k = Math.max(1, row - AROUND); k <= Math.min(table.length - 1, row + AROUND); k++) {
    const step = table.dts[k] - table.dts[k - 1]
    if (k !== row && isStep(step)) steps.push(step)
  }
  return steps.sort((a, b) => a - b)
}

/** Takes jumps out of the times of all streams, in their tables alone. */
export function joinTimes(streams: readonly PidStream[], jumps: readonly ClockJump[]): void {
  for (const { offset, ticks, rows } of jumps) {
    for (const { pid, table, clocks } of streams) {
      const first = rows.get(pid)
      if (table && first !== undefined)
        for (let row = first; row < table.length; row++) table.dts[row] -= ticks
      if (!clocks) continue
      for (let row = 0; row < clocks.length; row++) if (clocks.offset[row] >= offset) clocks.dts[row] -= ticks
    }
  }
}

/** Ticks that a stream's row was moved by. */
export function movedBy(jumps: readonly ClockJump[], pid: number, row: number): number {
  let ticks = 0
  for (const jump of jumps) if (row >= (jump.rows.get(pid) ?? Number.POSITIVE_INFINITY)) ticks += jump.ticks
  return ticks
}
