import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import type { StampRows } from '../../../recording/clock-table.ts'
import { firstStamp } from '../../../recording/header-habits.ts'
import { mendStamps } from '../../../recording/mend-stamps.ts'
import { isPacketStart, LONGEST_HEADER, NO_STAMP, PREFIX_BYTES } from '../../../syntax/pes/packet-header.ts'
import { CLOCK, readTimeStamp, writeTimeStamp } from '../../../syntax/pes/time-stamp.ts'
import { CLOCK_CODE, clockHit, headerHit, stampHit, TIME_STAMP } from '../findings.ts'
import { PACK_CLOCK_AT, packClock } from '../read/item.ts'
import type { ProgramStream } from '../read/stream.ts'

const STAMP_BYTES = 5
/** What one turned bit makes of a header without a time stamp, so that it looks like one with. */
const TURNED_NO_STAMP = 0x2f

/** Puts wrong time stamps of a stream right. Says whether some of them are a guess. */
export function mendStreamTimes(
  reader: ByteReader,
  { table, unit }: ProgramStream,
  edits: Edits,
  findings: Findings,
): boolean {
  const stampAt = (row: number): number =>
    table.offset[row] + firstStamp(reader.bytes(table.offset[row], LONGEST_HEADER), 0)
  const displayed = (row: number): number => readTimeStamp(reader.bytes(stampAt(row), STAMP_BYTES), 0)
  const fixes = mendStamps(table, unit * CLOCK, displayed)
  for (const { row, dts, pts } of fixes) {
    // the heads of some are only in the result
    if (!isPacketStart(reader.bytes(table.offset[row], PREFIX_BYTES), 0)) continue
    const at = stampAt(row)
    if (reader.u8(at) === TURNED_NO_STAMP) {
      // what was read as a time are data
      findings.add(headerHit(table.offset[row], 'packet'))
      edits.replace(at, 1, Uint8Array.of(NO_STAMP))
      continue
    }
    const both = reader.u8(at) >> 4 === 3
    const bytes = new Uint8Array(both ? STAMP_BYTES * 2 : STAMP_BYTES)
    writeTimeStamp(bytes, 0, both ? 3 : 2, both ? pts : dts)
    if (both) writeTimeStamp(bytes, STAMP_BYTES, 1, dts)
    if (!findings.countMore(TIME_STAMP)) findings.add(stampHit(table.offset[row]))
    edits.replace(at, bytes.length, bytes)
  }
  return fixes.some(({ sure }) => !sure)
}

/** Puts wrong clocks of packs right. */
export function mendClocks(reader: ByteReader, clocks: StampRows, edits: Edits, findings: Findings): void {
  for (const { row, dts } of mendStamps(clocks, 0, () => -1)) {
    const at = clocks.offset[row]
    const bytes = packClock(reader.bytes(at, LONGEST_HEADER), dts)
    if (!findings.countMore(CLOCK_CODE)) findings.add(clockHit(at))
    edits.replace(at + PACK_CLOCK_AT, bytes.length, bytes)
  }
}
