import type { ByteReader } from '../../../bytes/reader.ts'
import { partsOf } from '../read/media-objects.ts'
import type { PacketTable, PayloadTable } from '../read/packet-table.ts'
import type { StreamObjects } from '../recording.ts'
import { amend } from './object-fields.ts'

/** Usual steps by which a time may be off where pictures are not in the order in which they are shown. */
const REORDERED = 3
/** Usual steps between the neighbours of an object whose time is put between theirs. */
const NEAR = 4
/** Share of a step within which two steps are two. */
const SLACK = 0.6

export interface MendedTimes {
  readonly mended: number
  /** Of them those whose neighbours leave it open when they were. */
  readonly estimated: number
}

/** Puts presentation times between their neighbours' that lie far from both, which agree. */
export function mendTimes(
  reader: ByteReader,
  packets: PacketTable,
  payloads: PayloadTable,
  objects: readonly StreamObjects[],
): MendedTimes {
  let mended = 0
  let estimated = 0
  for (const { rows, step } of objects) {
    if (step === 0) continue
    for (let i = 1; i + 1 < rows.length; i++) {
      const before = payloads.time[rows[i - 1]]
      const time = payloads.time[rows[i]]
      const after = payloads.time[rows[i + 1]]
      const span = after - before
      if (span < 0 || span > NEAR * step) continue
      if (time >= before - REORDERED * step && time <= after + REORDERED * step) continue
      shift(reader, packets, payloads, rows[i], Math.round((before + after) / 2))
      mended++
      if (Math.abs(span - 2 * step) > SLACK * step) estimated++
    }
  }
  return { mended, estimated }
}

/** Gives all parts of the object that begins at `first` another time. */
function shift(
  reader: ByteReader,
  packets: PacketTable,
  payloads: PayloadTable,
  first: number,
  time: number,
): void {
  for (const row of partsOf(payloads, first)) amend(reader, packets, payloads, row, { time })
}
