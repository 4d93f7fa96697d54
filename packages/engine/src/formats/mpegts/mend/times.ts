import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { mendStamps, type StampFix } from '../../../recording/mend-stamps.ts'
import { isPacketStart, PREFIX_BYTES } from '../../../syntax/pes/packet-header.ts'
import { readTimeStamp, writeTimeStamp } from '../../../syntax/pes/time-stamp.ts'
import { clockHit, stampHit } from '../findings.ts'
import { CLOCK_BYTES, readClock, writeClock } from '../read/clock.ts'
import { type Layout, PACKET_BYTES, payloadStart } from '../read/packet.ts'
import type { PidStream } from '../read/stream.ts'

/** Where time stamps begin in a PES packet's header, and their bytes, ISO/IEC 13818-1:2022 §2.4.3.6. */
const FIRST_STAMP = PREFIX_BYTES + 3
const STAMP_BYTES = 5

/** Puts wrong time stamps of a stream right. Says whether some of them are a guess. */
export function mendStreamTimes(
  reader: ByteReader,
  layout: Layout,
  { pid, table }: PidStream,
  unit: number,
  edits: Edits,
  findings: Findings,
): boolean {
  if (!table) return false
  const stampAt = (row: number): number => {
    const packet = reader.bytes(table.offset[row] + layout.lead, PACKET_BYTES)
    const start = payloadStart(packet, 0)
    const isHeader = start + FIRST_STAMP + 2 * STAMP_BYTES <= packet.length && isPacketStart(packet, start)
    return isHeader ? table.offset[row] + layout.lead + start + FIRST_STAMP : -1
  }
  const displayed = (row: number): number => {
    const at = stampAt(row)
    return at < 0 ? -1 : readTimeStamp(reader.bytes(at, STAMP_BYTES), 0)
  }
  const fixes = mendStamps(table, unit, displayed)
  for (const fix of fixes) {
    const at = stampAt(fix.row)
    if (at < 0) continue
    findings.add(stampHit(pid, table.offset[fix.row]))
    writeStamps(reader, at, fix, edits)
  }
  return fixes.some(({ sure }) => !sure)
}

function writeStamps(reader: ByteReader, at: number, { pts, dts }: StampFix, edits: Edits): void {
  const kinds = reader.u8(at - 2) >> 6
  const bytes = new Uint8Array(STAMP_BYTES * (kinds - 1))
  if (kinds < 2) return
  writeTimeStamp(bytes, 0, kinds, kinds === 3 ? pts : dts)
  if (kinds === 3) writeTimeStamp(bytes, STAMP_BYTES, 1, dts)
  edits.replace(at, bytes.length, bytes)
}

/** Puts wrong clock references of a stream right, whose times players keep to within a tenth of a second. */
export function mendClocks(
  reader: ByteReader,
  { pid, clocks }: PidStream,
  edits: Edits,
  findings: Findings,
): void {
  if (!clocks) return
  for (const { row, dts } of mendStamps(clocks, 0, () => -1)) {
    const at = clocks.offset[row]
    const extension = readClock(reader.bytes(at, CLOCK_BYTES), 0).extension
    findings.add(clockHit(pid, at))
    edits.replace(at, CLOCK_BYTES, writeClock(dts, extension))
  }
}
