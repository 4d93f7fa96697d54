import type { ByteReader } from '../../bytes/reader.ts'
import { BitReservoir } from '../../codecs/mp3/bit-reservoir.ts'
import type { TrackReport } from '../../model/report.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { TrackOutcome } from '../../recording/track-outcome.ts'
import type { Assessment } from './assess.ts'
import { framesOf } from './read/block.ts'
import { type BlockTable, HIT, LEFT_OUT } from './read/block-table.ts'
import type { MatroskaTrack } from './read/track.ts'
import { lastsOf } from './timeline.ts'
import type { PlannedCluster } from './write/plan.ts'

const NANOSECONDS = 1e9
/** Steps of a track's pace that must be missing behind a hole before units are counted as lost. */
const LOST_FROM = 1.6

/** What became of each track: its blocks in file order, and units that holes must have held by the time they left empty. */
export function reportTracks(
  reader: ByteReader,
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
    const { description, encoding } = track
    const reservoir = description.codec === 'mp3' && encoding === 'none' ? new BitReservoir() : undefined
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
            reservoir?.lose()
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
              reservoir?.lose()
            }
          }
          if (first && !Number.isFinite(latest)) reservoir?.lose()
          first = false
          lostBefore = 0
          if (blocks.is(at, HIT)) reservoir?.lose()
          const damaged =
            blocks.is(at, HIT) || (reservoir?.isLow === true && !isFed(reservoir, reader, blocks, at))
          outcome.add(damaged ? 'damaged' : 'recovered', row, 0, blocks.offset[at], damaged ? 'damaged' : '')
          latest = Number.isFinite(latest) ? Math.max(latest, shown) : shown
          start = Math.min(start, shown)
          end = Math.max(end, shown + lasts)
        }
      }
    const duration = end > start ? ((end - start) * scale) / NANOSECONDS : 0
    return outcome.report(
      { ...description, id: track.number },
      duration,
      assessment.times.estimated > 0 || assessment.contradicted ? 'estimated' : 'exact',
    )
  })
}

/** Whether the main data is there that the frames of a block begin with. */
function isFed(reservoir: BitReservoir, reader: ByteReader, blocks: BlockTable, row: number): boolean {
  const frames = framesOf(reader, blocks.head[row], blocks.payload[row], blocks.end[row]) ?? []
  let fed = true
  for (let i = 1; i < frames.length; i++)
    fed = reservoir.take(reader.bytes(frames[i - 1], frames[i] - frames[i - 1])) && fed
  return fed
}
