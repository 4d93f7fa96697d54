import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackReport } from '../../model/report.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { TrackOutcome } from '../../recording/track-outcome.ts'
import { type ChunkTable, DAMAGED, LOST } from './read/chunk-table.ts'
import { countOf, secondsOf, unitsOf } from './read/clock.ts'
import type { AviStream } from './read/stream.ts'

/** Ticks a second in which ranges are told. */
const TICKS = 1_000_000

/** What became of a stream's chunks, and of those that a header says were there behind the last one. */
export function trackReport(
  reader: ByteReader,
  chunks: ChunkTable,
  stream: AviStream,
  estimated: boolean,
): TrackReport {
  const outcome = new TrackOutcome(TICKS, 0)
  // one row at a time: the account keeps stretches only
  const table = new SampleTable(2)
  let ticks = 0
  let units = 0
  for (let row = 0; row < chunks.length; row++) {
    if (chunks.stream[row] !== stream.number) continue
    const size = chunks.size[row]
    const flags = chunks.flags[row]
    const duration = secondsOf(stream, size) * TICKS
    table.truncate(0)
    table.push(chunks.offset[row], size, countOf(stream, size), duration, 0, 0)
    table.dts[0] = ticks
    ticks += duration
    units += unitsOf(stream, size)
    const state = flags & LOST ? 'lost' : flags & DAMAGED ? 'damaged' : 'recovered'
    outcome.add(
      state,
      table,
      0,
      flags & LOST ? -1 : chunks.offset[row],
      state === 'recovered' ? '' : 'bytes-lost',
    )
  }
  const rest = stream.description.kind === 'video' ? Math.round(stream.header.length - units) : 0
  if (rest > 0 && stream.header.length < reader.size) {
    table.truncate(0)
    table.push(-1, 0, rest, rest * secondsOf(stream, 0) * TICKS, 0, 0)
    table.dts[0] = ticks
    outcome.add('lost', table, 0, -1, 'bytes-lost')
  }
  return outcome.report(stream.description, ticks / TICKS, estimated ? 'estimated' : 'exact')
}
