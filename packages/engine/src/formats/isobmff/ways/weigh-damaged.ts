import { MemorySink } from '../../../bytes/sink.ts'
import type { Decoder } from '../../../model/decoder.ts'
import { SAMPLE_DAMAGED, SAMPLE_KEY, type SampleTable } from '../../../model/sample-table.ts'
import type { RepairJob } from '../../format.ts'
import type { Movie } from '../read/movie.ts'
import { writeMovie } from '../write/write.ts'
import type { RecoveredTrack } from './index/surviving-index.ts'
import { someRows } from './some-rows.ts'

/** Damaged pictures of a file that are weighed, the first of each track: every one is decoded twice with what refers to it. */
export const MOST_WEIGHED = 8
/** Pictures, and bytes of them, that are decoded to weigh one: from a key picture before it to one some way behind it. */
const MOST_PICTURES = 300
const MOST_BYTES = 16 * 1024 * 1024
/** Key pictures behind a damaged one up to which it is looked whether it disturbs others: what a decoder keeps is gone then. */
const KEYS_BEHIND = 2

/**
 * Leaves out the damaged pictures that disturb others more by being there than by being gone: what a decoder makes of their
 * surroundings with and without them decides. Where none can be asked all stay.
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
    weighed.push(rows.length > 0 ? await weighTrack(job, decoder, movie, track, rows) : track)
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

async function weighTrack(
  job: RepairJob,
  decoder: Decoder,
  movie: Movie,
  track: RecoveredTrack,
  rows: readonly number[],
): Promise<RecoveredTrack> {
  const { table } = track.plan
  const out = new Set<number>()
  for (const row of rows) {
    const around = surroundings(table, row).filter((other) => !out.has(other))
    const without = around.filter((other) => other !== row)
    const disturbed = async (some: readonly number[]): Promise<number | undefined> =>
      await disturbedPictures(job, decoder, movie, track, some)
    const there = await disturbed(around)
    if (there === undefined) break
    const gone = without.length > 0 ? await disturbed(without) : undefined
    // the picture itself is lost then
    if (gone !== undefined && gone + 1 < there) out.add(row)
    await job.monitor.pause()
  }
  return out.size === 0 ? track : leftOut(track, out)
}

/** Rows of the pictures from the key picture before a damaged one to a key picture behind it. */
function surroundings({ length, flags, size }: SampleTable, row: number): number[] {
  const isKey = (at: number): boolean => (flags[at] & (SAMPLE_KEY | SAMPLE_DAMAGED)) === SAMPLE_KEY
  let start = row
  let bytes = size[row]
  const fits = (at: number, rows: number): boolean => {
    bytes += size[at]
    return bytes <= MOST_BYTES && rows < MOST_PICTURES
  }
  while (start > 0 && fits(start - 1, row - start)) {
    start--
    if (isKey(start)) break
  }
  let end = row + 1
  for (let keys = 0; end < length && fits(end, end - start); end++)
    if (isKey(end) && ++keys > KEYS_BEHIND) break
  return Array.from({ length: end - start }, (_, at) => start + at)
}

/** Pictures of these rows that do not decode as they should, or not at all; undefined where no decoder can tell. */
async function disturbedPictures(
  job: RepairJob,
  decoder: Decoder,
  movie: Movie,
  { plan }: RecoveredTrack,
  rows: readonly number[],
): Promise<number | undefined> {
  // nothing is hidden, so that every picture is decoded
  const template = { ...plan.template, edits: undefined }
  const { table, ...parts } = someRows(plan, rows)
  const first = table.dts[0]
  for (let row = 0; row < table.length; row++) table.dts[row] -= first
  const sink = new MemorySink()
  const monitor = { ...job.monitor, progress: () => {} }
  await writeMovie(
    { movie, tracks: [{ ...parts, template, table, times: 'carved' }] },
    job.damaged.reader,
    sink,
    monitor,
  )
  const decoded = await decoder.decode(sink.bytes(), 'mp4')
  const track = decoded.checked ? decoded.tracks.find(({ kind }) => kind === 'video') : undefined
  if (!track || track.unchecked) return undefined
  const flawed = track.faults?.reduce((sum, { units }) => sum + units, 0) ?? track.errors
  return flawed + Math.max(0, rows.length - track.frames)
}

function leftOut(track: RecoveredTrack, out: ReadonlySet<number>): RecoveredTrack {
  const { plan, outcome } = track
  for (const row of out) outcome.lose(plan.table, row, 'damaged')
  const rows = Array.from({ length: plan.table.length }, (_, row) => row).filter((row) => !out.has(row))
  return { ...track, plan: someRows(plan, rows) }
}
