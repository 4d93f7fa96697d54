import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { ClockTable, type StampRows } from '../../../recording/clock-table.ts'
import { stampedRows } from '../../../recording/mend-stamps.ts'
import { withoutStamps } from '../../../recording/untimed-header.ts'
import { LONGEST_HEADER, PREFIX_BYTES, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { CLOCK } from '../../../syntax/pes/time-stamp.ts'
import { CLOCK_CODE, clockHit, clocksStay, stampsLost, stampsStay, TIME_STAMP } from '../findings.ts'
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
/**
 * Bytes of a file for each time that is taken out or put right: packets of recordings are longer on average. Where more are lost
 * the file is made of headers, and they stay.
 */
const BYTES_A_TIME = 96
const NO_CLOCKS: StampRows = new ClockTable(0)

/**
 * Takes out time stamps that fit neither those around them nor the clock of the packs, as of a stretch that was overwritten:
 * players count on from the last right one. Says whether there were some, which stay where there are more than any recording has.
 */
export function dropLostTimes(
  reader: ByteReader,
  { table, kind }: ProgramStream,
  clocks: StampRows,
  edits: Edits,
  findings: Findings,
): boolean {
  let isAny = false
  const isReordered = kind === 'video' && table.cts.subarray(0, table.length).every((delay) => delay === 0)
  const lost = lostRows(table, clocks, isReordered ? LONGEST_REORDERING : LONGEST_BACK)
  const staying = tooMany(lost, reader.size)
  if (staying > 0) findings.add(stampsStay(table.offset[lost.indexOf(1)], staying))
  for (let row = lost.indexOf(1); row >= 0; row = lost.indexOf(1, row + 1)) {
    isAny = true
    table.dts[row] = Number.NaN
    table.cts[row] = 0
    if (staying > 0) continue
    const offset = table.offset[row]
    if (!findings.countMore(TIME_STAMP)) findings.add(stampsLost(offset))
    const head = reader.bytes(offset, LONGEST_HEADER)
    const header = parsePacketHeader(head, 0)
    const without = header && withoutStamps(head.subarray(0, header.headerLength), header)
    if (without)
      edits.replace(offset + PREFIX_BYTES, without.length - PREFIX_BYTES, without.subarray(PREFIX_BYTES))
  }
  return isAny
}

/**
 * Gives packs whose clocks fit none of those around them such as lie evenly between the next ones that do. Says whether there are
 * so many that they stay.
 */
export function mendLostClocks(
  reader: ByteReader,
  clocks: StampRows,
  edits: Edits,
  findings: Findings,
): boolean {
  const lost = lostRows(clocks, NO_CLOCKS, LONGEST_BACK)
  if (!lost.includes(0)) return false
  const { dts, offset, length } = clocks
  const staying = tooMany(lost, reader.size)
  if (staying > 0) {
    findings.add(clocksStay(offset[lost.indexOf(1)], staying))
    return true
  }
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
      if (!findings.countMore(CLOCK_CODE)) findings.add(clockHit(offset[row]))
      const bytes = packClock(reader.bytes(offset[row], LONGEST_HEADER), dts[row])
      edits.replace(offset[row] + PACK_CLOCK_AT, bytes.length, bytes)
    }
  }
  return false
}

/** How many rows are lost, where those are more than a recording of so many bytes has; else 0. */
function tooMany(lost: Uint8Array, bytes: number): number {
  let count = 0
  for (let row = 0; row < lost.length; row++) count += lost[row]
  return count * BYTES_A_TIME > bytes ? count : 0
}

/** Which rows of a table have times that are none of a row of packets which go on: 1 each. */
function lostRows(table: StampRows, clocks: StampRows, back: number): Uint8Array {
  const { dts } = table
  const lost = new Uint8Array(table.length)
  const rows = stampedRows(table)
  const clockOf = clocksAt(table, rows, clocks)
  const isNear = (ticks: number): boolean => ticks >= -back && ticks <= LONGEST_STEP
  /** Whether times go on from the `a`th row to the `b`th, or jump as the clock does. */
  const goesOn = (a: number, b: number): boolean => {
    const step = dts[rows[b]] - dts[rows[a]]
    const passed = clockOf[b] - clockOf[a]
    return isNear(step) || (!isNear(passed) && Math.abs(step - passed) <= AHEAD)
  }
  const isSame = (a: number, b: number): boolean => dts[rows[a]] === dts[rows[b]]
  const { starts, stuck, count } = runsOf(rows.length, goesOn, isSame)
  let longest = 0
  let most = 0
  for (let run = 0; run < count; run++)
    if (stuck[run] === 0 && starts[run + 1] - starts[run] > most) {
      longest = starts[run]
      most = starts[run + 1] - longest
    }
  let last = -1
  for (let run = 0; run < count; run++) {
    const start = starts[run]
    const end = starts[run + 1]
    const isStuck = stuck[run] === 1
    const isInFront = last < 0 && start < longest && goesOn(end - 1, longest)
    const joins = start === longest || isInFront || (last >= 0 && goesOn(last, start))
    if (!isStuck && (joins || end - start >= OWN)) last = end - 1
    else for (let i = start; i < end; i++) lost[rows[i]] = 1
  }
  return lost
}

/** Runs of rows one behind the other, of which each goes on from the one in front. */
interface Runs {
  readonly count: number
  /** Where each begins, and where the last one ends. */
  readonly starts: Uint32Array
  /** 1 of those whose rows are all at one time. */
  readonly stuck: Uint8Array
}

function runsOf(
  rows: number,
  goesOn: (a: number, b: number) => boolean,
  isSame: (a: number, b: number) => boolean,
): Runs {
  const starts = new Uint32Array(rows + 1)
  const stuck = new Uint8Array(rows)
  let count = 0
  const end = (at: number, isStuck: boolean): void => {
    if (isStuck) stuck[count] = 1
    starts[++count] = at
  }
  for (let i = 0; i < rows; ) {
    let same = i + 1
    while (same < rows && isSame(i, same)) same++
    const isStuck = same - i >= STUCK
    if (i > starts[count] && (isStuck || !goesOn(i - 1, i))) end(i, false)
    if (isStuck) end(same, true)
    i = isStuck ? same : i + 1
  }
  if (rows > starts[count]) end(rows, false)
  return { count, starts, stuck }
}

/** The clock of the pack that each row's packet lies in; 0 where no pack is in front. */
function clocksAt({ offset }: StampRows, rows: Uint32Array, clocks: StampRows): Float64Array {
  const found = new Float64Array(rows.length)
  let pack = -1
  for (let i = 0; i < rows.length; i++) {
    while (pack + 1 < clocks.length && clocks.offset[pack + 1] < offset[rows[i]]) pack++
    found[i] = pack < 0 ? 0 : clocks.dts[pack]
  }
  return found
}
