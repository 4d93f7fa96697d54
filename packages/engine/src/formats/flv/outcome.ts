import type { ByteReader } from '../../bytes/reader.ts'
import { BitReservoir } from '../../codecs/mp3/bit-reservoir.ts'
import type { TrackReport } from '../../model/report.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { TrackOutcome } from '../../recording/track-outcome.ts'
import type { Assessment } from './assess.ts'
import { readMediaHeader } from './read/media-header.ts'
import { DAMAGED, DROPPED, ESTIMATED, type TagTable, VIDEO } from './read/tag-table.ts'
import { dataOf } from './streams.ts'

/** Losses beyond this many units are no count of anything. */
const MOST_LOST = 1_000_000
/** Share of a usual step by which times may differ where nothing is missing. */
const SLACK = 0.6

/** What became of each stream, in units and stretches of time. */
export function trackReports(
  reader: ByteReader,
  { scan, streams, times, metadata, length }: Assessment,
): TrackReport[] {
  const { table, holes } = scan
  return streams.map((stream, i) => {
    const step = times.steps.get(stream.kind) ?? 0
    const rows = new SampleTable()
    const outcome = new TrackOutcome(1000, length.first * 1000)
    let end = scan.head ? length.first * 1000 : 0
    let estimated = false
    let hole = 0
    const reservoir = stream.codec === 'mp3' ? new BitReservoir() : undefined
    const lose = (until: number): void => {
      const units = step > 0 ? Math.round((until - end) / step) : 0
      if (until - end < step * SLACK || units < 1 || units > MOST_LOST) return
      const row = rows.push(0, 0, units, until - end, 0, 0)
      rows.dts[row] = end
      outcome.add('lost', rows, row, -1, 'lost')
      reservoir?.lose()
    }
    let isFirst = !scan.head
    for (const row of stream.rows) {
      const time = table.time[row]
      let behindHole = isFirst
      isFirst = false
      for (; hole < holes.length && holes[hole].row <= row; hole++) behindHole = true
      const hit = (table.flags[row] & DAMAGED) !== 0
      const dropped = (table.flags[row] & DROPPED) !== 0
      if (dropped && !hit) continue
      if (behindHole) lose(time)
      if (hit) reservoir?.lose()
      const damaged = hit || (reservoir?.isLow === true && !reservoir.take(unitOf(reader, table, row)))
      const at = rows.push(table.offset[row], table.size[row], 1, step, 0, 0)
      rows.dts[at] = time
      const state = dropped ? 'lost' : damaged ? 'damaged' : 'recovered'
      outcome.add(state, rows, at, dropped ? -1 : table.offset[row], damaged ? 'damaged' : '')
      estimated ||= (table.flags[row] & ESTIMATED) !== 0
      end = time + step
    }
    lose((metadata?.duration ?? 0) * 1000)
    const about = { id: i + 1, kind: stream.kind === VIDEO ? 'video' : 'audio', codec: stream.codec } as const
    return outcome.report(about, length.seconds, estimated ? 'estimated' : 'exact')
  })
}

/** What a tag carries, without the header of its kind. */
function unitOf(reader: ByteReader, table: TagTable, row: number): Uint8Array {
  const data = dataOf(reader, table, row)
  return data.subarray(readMediaHeader(table.kind[row], data).length)
}
