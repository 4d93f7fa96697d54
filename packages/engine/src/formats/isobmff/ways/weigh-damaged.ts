import { MemorySink } from '../../../bytes/sink.ts'
import { SAMPLE_DAMAGED, SAMPLE_KEY } from '../../../model/sample-table.ts'
import {
  disturbingPictures,
  MOST_WEIGHED,
  type WeighedTrack,
} from '../../../recording/judge/weigh-pictures.ts'
import type { RepairJob } from '../../format.ts'
import type { Movie } from '../read/movie.ts'
import { writeMovie } from '../write/write.ts'
import type { RecoveredTrack } from './index/surviving-index.ts'
import { someRows } from './some-rows.ts'

/**
 * Leaves out the damaged pictures that disturb others more by being there than by being gone. Where no decoder can be asked all
 * stay.
 */
export async function weighDamaged(
  job: RepairJob,
  movie: Movie,
  tracks: readonly RecoveredTrack[],
): Promise<readonly RecoveredTrack[]> {
  const { decoder } = job
  if (!decoder || job.options.damagedFrames !== 'auto') return tracks
  let left = MOST_WEIGHED
  const weighed: RecoveredTrack[] = []
  for (const track of tracks) {
    const rows = damagedPictures(track).slice(0, left)
    left -= rows.length
    const out = await disturbingPictures(weighedTrack(job, movie, track, rows), decoder, job.monitor)
    weighed.push(out.size === 0 ? track : leftOut(track, out))
  }
  return weighed
}

function damagedPictures({ plan: { template, table } }: RecoveredTrack): number[] {
  if (template.description.kind !== 'video' || template.protection) return []
  const rows: number[] = []
  for (let row = 0; row < table.length; row++)
    if ((table.flags[row] & SAMPLE_DAMAGED) !== 0 && table.length > 1) rows.push(row)
  return rows
}

function weighedTrack(
  job: RepairJob,
  movie: Movie,
  { plan }: RecoveredTrack,
  damaged: readonly number[],
): WeighedTrack {
  const { flags, size, length } = plan.table
  // nothing is hidden, so that every picture is decoded
  const template = { ...plan.template, edits: undefined }
  const monitor = { ...job.monitor, progress: () => {} }
  return {
    pictures: length,
    damaged,
    isKey: (row) => (flags[row] & (SAMPLE_KEY | SAMPLE_DAMAGED)) === SAMPLE_KEY,
    size: (row) => size[row],
    write: async (rows) => {
      const { table, ...parts } = someRows(plan, rows)
      const first = table.dts[0]
      for (let row = 0; row < table.length; row++) table.dts[row] -= first
      const sink = new MemorySink()
      await writeMovie(
        { movie, tracks: [{ ...parts, template, table, times: 'carved' }] },
        job.damaged.reader,
        sink,
        monitor,
      )
      return { bytes: sink.bytes(), extension: 'mp4' }
    },
  }
}

function leftOut(track: RecoveredTrack, out: ReadonlySet<number>): RecoveredTrack {
  const { plan, outcome } = track
  for (const row of out) outcome.lose(plan.table, row, 'damaged')
  const rows = Array.from({ length: plan.table.length }, (_, row) => row).filter((row) => !out.has(row))
  return { ...track, plan: someRows(plan, rows) }
}
