import { SampleTable } from '../../../../model/sample-table.ts'
import { decodedAhead } from '../../../../recovery/learning/decoded-ahead.ts'
import { type Runs, runTotal } from '../../boxes/tables.ts'
import { weightedTotal } from '../../mend/times/durations.ts'
import type { Movie, MovieTrack } from '../../read/movie.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/** Share of a track's length by which its durations may differ from what its header says. */
const SAME_LENGTH = 0.01

/**
 * Pictures that carving found, all of them, with the times that the index still tells although it lost their places: those of a
 * rate that varied cannot be had from anything else. Tracks of which the index has not the same count stay as they are.
 */
export function withOwnTimes(
  tracks: readonly RecoveredTrack[],
  movie: Movie | undefined,
): readonly RecoveredTrack[] {
  const own = movie?.tracks.filter(({ description }) => description.kind === 'video') ?? []
  const found = tracks.filter(isVideo)
  if (!movie || own.length === 0 || own.length !== found.length) return tracks
  return tracks.map((track) => {
    const named = isVideo(track) ? own[found.indexOf(track)] : undefined
    return named && tellsTimesOf(named, track) ? timed(track, named, movie) : track
  })
}

function isVideo({ plan }: RecoveredTrack): boolean {
  return plan.template.description.kind === 'video'
}

/**
 * Whether a track of an index counts as many samples as were found, and its durations make up the length that its header says; or
 * whether its table of durations breaks off, and those that are left are of samples which are shown as they are decoded.
 */
function tellsTimesOf(named: MovieTrack, { plan, outcome }: RecoveredTrack): boolean {
  const { durations, durationsGuessed, compositions } = named.tables
  const { table, template } = plan
  if (!durations || durationsGuessed || outcome.lost > 0 || table.length < 2) return false
  if (named.description.codec !== template.description.codec) return false
  const total = weightedTotal(durations)
  const header = named.mediaHeader.duration
  const count = runTotal(durations)
  if (count < table.length) {
    const late = table.cts.subarray(0, table.length)
    return count >= FEWEST && total < header && !compositions && late.every((each) => each === late[0])
  }
  return count === table.length && header > 0 && Math.abs(total - header) <= header * SAME_LENGTH
}

/**
 * The times of an index, the first picture shown as long after the first is decoded as before; as they were where their order is
 * another.
 */
function timed(track: RecoveredTrack, named: MovieTrack, movie: Movie): RecoveredTrack {
  const { table, template } = track.plan
  const scale = template.description.timescale / named.mediaHeader.timescale
  const { durations, compositions } = named.tables
  const rows = Array.from({ length: table.length }, (_, row) => row)
  // one more than there are tells that a table is of others
  const most = table.length + 1
  const known = eachOf(durations, most)
  const ticks = known.length < rows.length ? asFound(known, track, named) : known
  if (!ticks) return track
  const ends: number[] = []
  for (const each of ticks) ends.push((ends.at(-1) ?? 0) + each)
  const starts = ends.map((end, row) => end - ticks[row])
  const told = compositions ? eachOf(compositions.runs, most) : ticks.map(() => 0)
  const gone = told.length < rows.length ? goneOn(told, starts, table) : undefined
  const offsets = told.length < rows.length ? gone?.offsets : told
  if (offsets?.length !== ticks.length) return track
  const shown = rows.toSorted((a, b) => starts[a] + offsets[a] - starts[b] - offsets[b])
  if (shown.some((row, i) => i > 0 && shownAt(table, shown[i - 1]) >= shownAt(table, row))) return track
  const first = table.dts[0]
  const delay = shownAt(table, shown[0]) - first - Math.round((starts[shown[0]] + offsets[shown[0]]) * scale)
  const estimated = known.length < rows.length || gone?.stray === true
  const isDoubtful = gone?.stray === true || (estimated && variesOtherwise(known, table))
  const doubtful = isDoubtful ? { timesDoubtful: true as const } : {}
  for (const row of rows) {
    const decoded = first + Math.round(starts[row] * scale)
    table.dts[row] = decoded
    table.duration[row] = first + Math.round(ends[row] * scale) - decoded
    table.cts[row] = first + Math.round((starts[row] + offsets[row]) * scale) + delay - decoded
  }
  // what the last of them are is no surer than it was
  if (estimated) return { ...track, ...doubtful, estimated }
  const { timesDoubtful: _, ...rest } = track
  const end = ends[ends.length - 1]
  const skips = skippedBy(named, starts[shown[0]] + offsets[shown[0]], end, movie)
  return { ...rest, estimated: false, ...(skips > 0 ? { plan: { ...track.plan, skips } } : {}) }
}

/**
 * Seconds that the only edit of an index skips between the first picture, in ticks of the media, and the first that it shows; 0
 * where it would show more than there is up to the end.
 */
function skippedBy({ edits, mediaHeader }: MovieTrack, first: number, end: number, movie: Movie): number {
  const [edit, ...others] = edits ?? []
  if (!edit || others.length > 0 || edit.mediaTime <= first) return 0
  const shown = (edit.duration / movie.header.timescale) * mediaHeader.timescale
  return edit.mediaTime + shown <= end + first ? (edit.mediaTime - first) / mediaHeader.timescale : 0
}

/** Samples whose durations or composition offsets must be left for the others' to be told by them. */
const FEWEST = 24
/** Times by which the samples whose durations are lost may seem longer than they were found to be. */
const STRETCH = 2

/**
 * Durations in ticks of the index, of which only the first are left: the others are as they were found, all together as long as
 * is missing of the media's length, the last one none where at the rate of the first ones that is just what it lacks. Undefined
 * where that is another length than theirs.
 */
function asFound(
  known: readonly number[],
  { plan }: RecoveredTrack,
  named: MovieTrack,
): number[] | undefined {
  const found = plan.table.duration.slice(known.length, plan.table.length)
  const before = known.reduce((sum, each) => sum + each, 0)
  const length = named.mediaHeader.duration - before
  const rate = before / plan.table.duration.subarray(0, known.length).reduce((sum, each) => sum + each, 0)
  const last = found[found.length - 1]
  const lacking = found.reduce((sum, each) => sum + each, 0) - length / rate
  if (Math.abs(lacking - last) < last * SAME_RATE) found[found.length - 1] = 0
  const stretch = length / found.reduce((sum, each) => sum + each, 0)
  const scale = named.mediaHeader.timescale / plan.template.description.timescale
  if (!(stretch < scale * STRETCH && stretch > scale / STRETCH)) return undefined
  return [...known, ...Array.from(found, (each) => each * stretch)]
}

/**
 * Share of its duration by which what is lacking may differ from it where the last sample is given none, as some recorders do.
 */
const SAME_RATE = 0.1

/** Share of a usual duration by which a sample may begin elsewhere and still be where it was. */
const NEAR = 0.5

/**
 * Whether the first samples would begin elsewhere had their durations, in ticks of the index, been lost too and been worked out
 * as `asFound` does: those that were lost are then as far off.
 */
function variesOtherwise(known: readonly number[], { duration }: SampleTable): boolean {
  const found = duration.subarray(0, known.length)
  const length = known.reduce((sum, each) => sum + each, 0)
  const stretch = length / found.reduce((sum, each) => sum + each, 0)
  const near = (length / known.length) * NEAR
  let apart = 0
  return known.some((each, row) => {
    apart += each - found[row] * stretch
    return Math.abs(apart) > near
  })
}

/**
 * Composition offsets of which only the first are left, with those of the other samples: shown in the order of the bitstream, as
 * long after each other as the first ones show that decoding runs ahead. Undefined where they do not, or few are left; `stray`
 * where some of those left are otherwise, so that some of the lost ones were.
 */
function goneOn(
  told: readonly number[],
  starts: readonly number[],
  table: SampleTable,
): { readonly offsets: readonly number[]; readonly stray: boolean } | undefined {
  if (told.length < FEWEST) return undefined
  const first = new SampleTable(told.length)
  for (const [row, offset] of told.entries()) {
    first.push(0, 0, 1, 0, 0, 0)
    first.dts[row] = starts[row]
    first.cts[row] = offset
  }
  const ahead = decodedAhead(first)
  if (ahead === undefined) return undefined
  const shown = starts.map((_, row) => row).sort((a, b) => shownAt(table, a) - shownAt(table, b))
  const offsets = starts.map(() => 0)
  const last = starts.length - 1
  for (const [place, row] of shown.entries())
    offsets[row] = starts[Math.min(place + ahead, last)] - starts[row]
  const apart = told.map((offset, row) => offset - offsets[row]).sort((a, b) => a - b)
  const usual = apart[apart.length >> 1]
  const agreeing = apart.filter((each) => Math.abs(each - usual) <= 1).length
  if (agreeing < apart.length * AGREEING) return undefined
  return {
    offsets: offsets.map((offset, row) => told[row] ?? offset + usual),
    stray: agreeing < apart.length * SURELY,
  }
}

/**
 * Share of the offsets left that must be as they are worked out: of the last ones the pictures shown between them are not known.
 */
const AGREEING = 0.9
/** The share from which on those that are lost are as they are worked out, but for single ones. */
const SURELY = 0.98

function shownAt(table: SampleTable, row: number): number {
  return table.dts[row] + table.cts[row]
}

/** The value of each of the first `most` samples: runs may count more than there can be. */
function eachOf(runs: Runs | undefined, most: number): number[] {
  const values: number[] = []
  for (let run = 0; runs && run < runs.length; run++)
    for (let i = 0; i < runs.counts[run] && values.length < most; i++) values.push(runs.values[run])
  return values
}
