import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { SampleTable } from '../../../model/sample-table.ts'
import { withoutStamps } from '../../../recording/untimed-header.ts'
import { LONGEST_HEADER, PREFIX_BYTES, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { CLOCK } from '../../../syntax/pes/time-stamp.ts'
import { clockHit, stampsLost } from '../findings.ts'
import { PACK_CLOCK_AT, packClock } from '../read/item.ts'
import type { ProgramStream } from '../read/stream.ts'

/** How far times may go on from one packet to the next, and back; farther where pictures tell those of display. */
const LONGEST_STEP = 10 * CLOCK
const LONGEST_BACK = CLOCK / 10
const LONGEST_REORDERING = 2 * CLOCK
/** How far a stream may go ahead of its packs' clock from one packet to the next. */
const AHEAD = 5 * CLOCK
/** Packets that go on by themselves: times of their own, as where recordings are joined. */
const OWN = 8
/** Packets in a row at one time: none of a stream are. */
const STUCK = 4
const NO_CLOCKS = new SampleTable(0)

/**
 * Takes out time stamps that fit neither those around them nor the clock of the packs, as of a stretch that was overwritten:
 * players count on from the last right one. Says whether there were some.
 */
export function dropLostTimes(
  reader: ByteReader,
  { table, kind }: ProgramStream,
  clocks: SampleTable,
  edits: Edits,
  findings: Findings,
): boolean {
  let isAny = false
  const isReordered = kind === 'video' && table.cts.subarray(0, table.length).every((delay) => delay === 0)
  const lost = lostRows(table, clocks, isReordered ? LONGEST_REORDERING : LONGEST_BACK)
  for (let row = lost.indexOf(1); row >= 0; row = lost.indexOf(1, row + 1)) {
    isAny = true
    table.dts[row] = Number.NaN
    table.cts[row] = 0
    const offset = table.offset[row]
    findings.add(stampsLost(offset))
    const head = reader.bytes(offset, LONGEST_HEADER).slice()
    const header = parsePacketHeader(head, 0)
    const without = header && withoutStamps(head.subarray(0, header.headerLength))
    if (without)
      edits.replace(offset + PREFIX_BYTES, without.length - PREFIX_BYTES, without.subarray(PREFIX_BYTES))
  }
  return isAny
}

/** Gives packs whose clocks fit none of those around them such as lie evenly between the next ones that do. */
export function mendLostClocks(
  reader: ByteReader,
  clocks: SampleTable,
  edits: Edits,
  findings: Findings,
): void {
  const lost = lostRows(clocks, NO_CLOCKS, LONGEST_BACK)
  if (!lost.includes(0)) return
  const { dts, offset, length } = clocks
  for (let row = lost.indexOf(1); row >= 0; row = lost.indexOf(1, row)) {
    let end = row
    while (lost[end] === 1) end++
    const before = row > 0 ? dts[row - 1] : Number.NaN
    const behind = end < length ? dts[end] : Number.NaN
    for (let place = 1; row < end; row++, place++) {
      const share = place / (end - row + place)
      const known = Number.isNaN(before) ? behind : before
      const time = Number.isNaN(before + behind) ? known : before + (behind - before) * share
      dts[row] = Math.round(time)
      findings.add(clockHit(offset[row]))
      const bytes = packClock(reader.bytes(offset[row], LONGEST_HEADER), dts[row])
      edits.replace(offset[row] + PACK_CLOCK_AT, bytes.length, bytes)
    }
  }
}

/** Which rows of a table have times that are none of a row of packets which go on: 1 each. */
function lostRows(table: SampleTable, clocks: SampleTable, back: number): Uint8Array {
  const { dts } = table
  const lost = new Uint8Array(table.length)
  const rows = Uint32Array.from(lost.keys()).filter((row) => !Number.isNaN(dts[row]))
  const clockOf = clocksAt(table, rows, clocks)
  const isNear = (ticks: number): boolean => ticks >= -back && ticks <= LONGEST_STEP
  /** Whether times go on from the `a`th row to the `b`th, or jump as the clock does. */
  const goesOn = (a: number, b: number): boolean => {
    const step = dts[rows[b]] - dts[rows[a]]
    const passed = clockOf[b] - clockOf[a]
    return isNear(step) || (!isNear(passed) && Math.abs(step - passed) <= AHEAD)
  }
  const isSame = (a: number, b: number): boolean => dts[rows[a]] === dts[rows[b]]
  let longest = NONE
  for (const run of runsOf(rows.length, goesOn, isSame))
    if (!run.isStuck && run.end - run.start > longest.end - longest.start) longest = run
  let last = -1
  for (const { start, end, isStuck } of runsOf(rows.length, goesOn, isSame)) {
    const isInFront = last < 0 && start < longest.start && goesOn(end - 1, longest.start)
    const joins = start === longest.start || isInFront || (last >= 0 && goesOn(last, start))
    if (!isStuck && (joins || end - start >= OWN)) last = end - 1
    else for (let i = start; i < end; i++) lost[rows[i]] = 1
  }
  return lost
}

/** Rows one behind the other, of which each goes on from the one in front. */
interface Run {
  readonly start: number
  readonly end: number
  /** They are all at one time. */
  readonly isStuck: boolean
}

const NONE: Run = { start: 0, end: 0, isStuck: false }

function* runsOf(
  count: number,
  goesOn: (a: number, b: number) => boolean,
  isSame: (a: number, b: number) => boolean,
): Generator<Run> {
  let start = 0
  for (let i = 0; i < count; ) {
    let same = i + 1
    while (same < count && isSame(i, same)) same++
    const isStuck = same - i >= STUCK
    if (i > start && (isStuck || !goesOn(i - 1, i))) {
      yield { start, end: i, isStuck: false }
      start = i
    }
    if (isStuck) {
      yield { start, end: same, isStuck: true }
      start = same
    }
    i = isStuck ? same : i + 1
  }
  if (count > start) yield { start, end: count, isStuck: false }
}

/** The clock of the pack that each row's packet lies in; 0 where no pack is in front. */
function clocksAt({ offset }: SampleTable, rows: Uint32Array, clocks: SampleTable): Float64Array {
  const found = new Float64Array(rows.length)
  let pack = -1
  for (const [i, row] of rows.entries()) {
    while (pack + 1 < clocks.length && clocks.offset[pack + 1] < offset[row]) pack++
    found[i] = pack < 0 ? 0 : clocks.dts[pack]
  }
  return found
}
