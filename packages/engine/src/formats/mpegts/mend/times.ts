import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { mendStamps, type StampFix } from '../../../recording/mend-stamps.ts'
import { isPacketStart, PREFIX_BYTES } from '../../../syntax/pes/packet-header.ts'
import { readTimeStamp, STAMP_BYTES, wrapped, writeTimeStamps } from '../../../syntax/pes/time-stamp.ts'
import { clockHit, stampHit } from '../findings.ts'
import { CLOCK_BYTES, readClock, writeClock } from '../read/clock.ts'
import { type Layout, PACKET_BYTES, payloadStart } from '../read/packet.ts'
import type { PidStream } from '../read/stream.ts'
import { type ClockJump, movedBy } from './clock-jumps.ts'

/** Where time stamps begin in a PES packet's header, ISO/IEC 13818-1:2022 §2.4.3.6. */
const FIRST_STAMP = PREFIX_BYTES + 3
/** What a header that has them there begins with, and which of them its next two bits tell of. */
const MARK = 2
const ONE = 2
const BOTH = 3

/** Puts wrong time stamps of a stream right. Says whether some of them are a guess. */
export function mendStreamTimes(
  reader: ByteReader,
  layout: Layout,
  { pid, table }: PidStream,
  unit: number,
  jumps: readonly ClockJump[],
  edits: Edits,
  findings: Findings,
): boolean {
  if (!table) return false
  const stampAt = (row: number): number => {
    const packet = reader.bytes(table.offset[row] + layout.lead, PACKET_BYTES)
    const start = payloadStart(packet, 0)
    const isHeader = start + FIRST_STAMP + 2 * STAMP_BYTES <= packet.length && isPacketStart(packet, start)
    const flags = start + PREFIX_BYTES
    const isStamped = isHeader && packet[flags] >> 6 === MARK && packet[flags + 1] >> 6 >= ONE
    return isStamped ? table.offset[row] + layout.lead + start + FIRST_STAMP : -1
  }
  const displayed = (row: number): number => {
    const at = stampAt(row)
    const stamp = at < 0 ? -1 : readTimeStamp(reader.bytes(at, STAMP_BYTES), 0)
    const ticks = movedBy(jumps, pid, row)
    return stamp < 0 || ticks === 0 ? stamp : wrapped(stamp - ticks)
  }
  const first = Math.min(table.length, ...jumps.map(({ rows }) => rows.get(pid) ?? table.length))
  for (let row = first; row < table.length; row++) {
    const at = stampAt(row)
    if (at >= 0) writeStamps(reader, at, { pts: displayed(row), dts: table.dts[row] }, edits)
  }
  const fixes = mendStamps(table, unit, displayed)
  for (const fix of fixes) {
    const at = stampAt(fix.row)
    findings.add(stampHit(pid, table.offset[fix.row]))
    if (at >= 0) writeStamps(reader, at, fix, edits)
  }
  return fixes.some(({ row, sure }) => !sure || stampAt(row) < 0)
}

function writeStamps(
  reader: ByteReader,
  at: number,
  { pts, dts }: Pick<StampFix, 'pts' | 'dts'>,
  edits: Edits,
): void {
  const hasBoth = reader.u8(at - 2) >> 6 === BOTH
  const bytes = new Uint8Array(hasBoth ? 2 * STAMP_BYTES : STAMP_BYTES)
  if (hasBoth) writeTimeStamps(bytes, 0, pts, dts)
  else writeTimeStamps(bytes, 0, dts, undefined)
  edits.replace(at, bytes.length, bytes)
}

/** Puts wrong clock references of a stream right, whose times players keep to within a tenth of a second. */
export function mendClocks(
  reader: ByteReader,
  { pid, clocks }: PidStream,
  jumps: readonly ClockJump[],
  edits: Edits,
  findings: Findings,
): void {
  if (!clocks) return
  const write = (row: number, time: number): void => {
    const at = clocks.offset[row]
    const { extension } = readClock(reader.bytes(at, CLOCK_BYTES), 0)
    edits.replace(at, CLOCK_BYTES, writeClock(time, extension))
  }
  let first = Number.POSITIVE_INFINITY
  for (const { offset } of jumps) first = Math.min(first, offset)
  for (let row = 0; row < clocks.length; row++) if (clocks.offset[row] >= first) write(row, clocks.dts[row])
  for (const { row, dts } of mendStamps(clocks, 0, () => -1)) {
    findings.add(clockHit(pid, clocks.offset[row]))
    write(row, dts)
  }
}
