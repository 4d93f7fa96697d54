import type { TrackReport } from '../../model/report.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { TrackOutcome } from '../../recording/track-outcome.ts'
import type { Assessment } from './assess.ts'
import { HIT, LEFT_OUT } from './read/block-table.ts'
import type { MatroskaTrack } from './read/track.ts'
import { lastsOf } from './timeline.ts'
import type { PlannedCluster } from './write/plan.ts'

const NANOSECONDS = 1e9
/** Steps of a track's pace that must be missing behind a hole before units are counted as lost. */
const LOST_FROM = 1.6

/** What became of each track: its blocks in file order, and units that holes must have held by the time they left empty. */
export function reportTracks(
  assessment: Assessment,
  tracks: readonly MatroskaTrack[],
  clusters: readonly PlannedCluster[],
): TrackReport[] {
  const { survey, paces, scale } = assessment
  const { blocks } = survey
  const row = new SampleTable(1)
  row.push(0, 0, 1, 0, 0, 0)
  return tracks.map((track) => {
    const pace = paces.get(track.number) ?? 0
    const outcome = new TrackOutcome(NANOSECONDS / scale, 0)
    let start = Number.POSITIVE_INFINITY
    let end = 0
    let latest = Number.NaN
    let lostBefore = 0
    for (const { time, runs } of clusters)
      for (const run of runs) {
        const behindGap = run.gap >= 0 && survey.gaps[run.gap].length > 0
        let first = behindGap
        for (let at = run.firstRow; at < run.endRow; at++) {
          if (blocks.track[at] !== track.number) continue
          const shown = time + blocks.relative[at]
          const lasts = lastsOf(survey, paces, at)
          row.dts[0] = shown
          row.duration[0] = lasts
          row.size[0] = blocks.size[at]
          row.count[0] = blocks.frames[at]
          if (blocks.is(at, LEFT_OUT)) {
            outcome.add('lost', row, 0, blocks.offset[at], 'damaged')
            lostBefore++
            continue
          }
          if (first && pace > 0 && Number.isFinite(latest)) {
            const missing = Math.round((shown - latest) / pace) - 1 - lostBefore
            if (shown - latest > pace * LOST_FROM && missing > 0) {
              row.dts[0] = latest + pace
              row.duration[0] = shown - latest - pace
              row.count[0] = missing
              outcome.add('lost', row, 0, -1, 'gap')
              row.dts[0] = shown
              row.duration[0] = lasts
              row.count[0] = blocks.frames[at]
            }
          }
          first = false
          lostBefore = 0
          outcome.add(
            blocks.is(at, HIT) ? 'damaged' : 'recovered',
            row,
            0,
            blocks.offset[at],
            blocks.is(at, HIT) ? 'damaged' : '',
          )
          latest = Number.isFinite(latest) ? Math.max(latest, shown) : shown
          start = Math.min(start, shown)
          end = Math.max(end, shown + lasts)
        }
      }
    const duration = end > start ? ((end - start) * scale) / NANOSECONDS : 0
    return outcome.report(
      { ...track.description, id: track.number },
      duration,
      assessment.times.estimated > 0 ? 'estimated' : 'exact',
    )
  })
}
