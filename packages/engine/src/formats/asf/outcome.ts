import type { TrackReport } from '../../model/report.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { TrackOutcome } from '../../recording/track-outcome.ts'
import type { Assessment } from './assess.ts'

/** Losses beyond this many units are no count of anything. */
const MOST_LOST = 1_000_000
/** Share of a usual step by which times may differ where nothing is missing. */
const SLACK = 0.6

type Told = Pick<Assessment, 'scan' | 'objects' | 'span' | 'header' | 'damaged' | 'times'>

/**
 * What became of each stream, in media objects and stretches of time. `leftOut`: first payloads of damaged pictures that are not
 * kept.
 */
export function trackReports(
  { scan, objects, span, header, damaged, times }: Told,
  leftOut: ReadonlySet<number> = new Set(),
): TrackReport[] {
  if (!scan) return []
  const { payloads, packets, holes } = scan
  return objects.map(({ stream, rows, step }) => {
    const table = new SampleTable()
    const outcome = new TrackOutcome(1000, span.first)
    let end = header.whole ? span.first : (header.file?.preroll ?? span.first)
    let hole = 0
    const lose = (until: number): void => {
      const units = step > 0 ? Math.round((until - end) / step) : 0
      if (until - end < step * SLACK || units < 1 || units > MOST_LOST) return
      const row = table.push(0, 0, units, until - end, 0, 0)
      table.dts[row] = end
      outcome.add('lost', table, row, -1, 'lost')
    }
    for (const row of rows) {
      let behindHole = false
      while (hole < holes.length && holes[hole].row <= row) {
        behindHole = true
        const { packet } = holes[hole]
        if (packet >= packets.length || row < packets.first[packet]) break
        hole++
      }
      const time = payloads.time[row]
      if (behindHole) lose(time)
      const at = table.push(payloads.offset[row], payloads.objectSize[row], 1, step, 0, 0)
      table.dts[at] = time
      const state = leftOut.has(row) ? 'lost' : damaged.has(row) ? 'damaged' : 'recovered'
      outcome.add(state, table, at, payloads.offset[row], state === 'recovered' ? '' : 'damaged')
      end = Math.max(end, time + step)
    }
    if (header.file && header.file.playDuration > 0 && end < header.file.playDuration / 10_000 - step)
      lose(header.file.playDuration / 10_000)
    const about = { id: stream.number, kind: stream.kind, codec: stream.codec }
    return outcome.report(about, (span.end - span.first) / 1000, times.estimated > 0 ? 'estimated' : 'exact')
  })
}
