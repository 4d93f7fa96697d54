import type { ByteReader } from '../../../bytes/reader.ts'
import { Findings } from '../../../model/finding.ts'
import { SampleTable } from '../../../model/sample-table.ts'
import { isUsualTimescale, timescaleOf } from '../../../recording/deduce/clock.ts'
import type { Deduction } from '../../../recording/deduce/deduce.ts'
import type { DraftTrack } from '../../../recording/draft.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'
import type { Movie } from '../read/movie.ts'
import { readFragments } from '../read/read-fragments.ts'
import { draftMovie } from '../write/draft-movie.ts'

/** Rows compared to tell which track of the fragments is which. */
const COMPARED = 2000
/** Durations of whole ticks are this far from the rate's, in coarse time scales. */
const ROUNDING = 0.03
/** Fragments read for it. */
const MOST_FRAGMENTS = 64

/** The movie whose fragments are there. */
export interface Matched {
  readonly movie: Movie
  /**
   * Whether the last fragment begins at the same time of all tracks: their rates are right, or one is not. Undefined where there
   * is one track, or one fragment.
   */
  readonly level: boolean | undefined
}

/**
 * The deduced movie under the track ids that fragments use, at the time scales their durations count in: a picture of 1001 ticks
 * at 29.97 a second is one of 30000. Undefined when no fragment names a sample of the deduced tracks.
 */
export function matchFragments(
  reader: ByteReader,
  fragments: readonly Box[],
  deduction: Deduction,
  samplesPerTrack: number,
): Matched | undefined {
  const some = fragments.slice(0, MOST_FRAGMENTS)
  const { unknownTracks } = readFragments(reader, some, [], new Findings(0))
  const targets = [...unknownTracks].map((id) => ({
    id,
    description: undefined,
    extends: undefined,
    samples: new SampleTable(samplesPerTrack),
  }))
  readFragments(reader, some, targets, new Findings(0))
  const taken = new Set<number>()
  const tracks: DraftTrack[] = []
  const spans: (Span | undefined)[] = []
  for (const [i, track] of deduction.draft.tracks.entries()) {
    const own = deduction.tracks[i].samples
    const best = targets
      .filter(({ id }) => !taken.has(id))
      .map((target) => ({ target, shared: sharedPlaces(own, target.samples) }))
      .reduce((a, b) => (b.shared > a.shared ? b : a), { target: targets[0], shared: 0 })
    if (best.shared === 0) continue
    taken.add(best.target.id)
    const ticks = usualDuration(best.target.samples, track.constantBytes)
    const known = deduction.rateKnown || track.kind !== 'video'
    const counted = track.unit > 0 && ticks > 0 ? Math.round((track.timescale * ticks) / track.unit) : 0
    // where pictures are left out the usual ones are still as far apart as the bitstream says
    const { said } = deduction
    const nominal = said && track.kind === 'video' ? Math.round((ticks * said.num) / said.den) : 0
    const likely = isUsualTimescale(nominal)
      ? nominal
      : known
        ? counted
        : timescaleOf(meanDuration(best.target.samples)) || counted
    const timescale = Math.abs(likely / track.timescale - 1) < ROUNDING ? track.timescale : likely
    tracks.push({
      ...track,
      id: best.target.id,
      ...(timescale > 0 ? { timescale, unit: ticks } : {}),
    })
    spans.push(spanOf(best.target.samples, some, timescale, ticks))
  }
  const movie = tracks.length > 0 ? draftMovie({ ...deduction.draft, tracks })?.movie : undefined
  return movie && { movie, level: areLevel(spans) }
}

/** Seconds between the first samples of the first and the last fragment, and those that one sample lasts. */
interface Span {
  readonly seconds: number
  readonly unit: number
}

/** Undefined for a track that is not in both, or where they are the same. */
function spanOf(
  { dts, offset, length }: SampleTable,
  fragments: readonly Box[],
  timescale: number,
  ticks: number,
): Span | undefined {
  const second = fragments.at(1)?.offset ?? 0
  const last = fragments[fragments.length - 1].offset
  let row = 0
  while (row < length && offset[row] < last) row++
  if (row === length || offset[0] > second || row === 0) return undefined
  return { seconds: (dts[row] - dts[0]) / timescale, unit: ticks / timescale }
}

/** In a fragment all tracks of a recording begin within a sample of each. Undefined where fewer than two tell. */
function areLevel(spans: readonly (Span | undefined)[]): boolean | undefined {
  const told = spans.filter((span) => span !== undefined)
  if (told.length < 2) return undefined
  return told.every(({ seconds, unit }) => Math.abs(seconds - told[0].seconds) <= unit + told[0].unit)
}

/** Rows of one table that stand where rows of the other do. */
function sharedPlaces(a: SampleTable, b: SampleTable): number {
  const places = new Set(a.offset.subarray(0, Math.min(a.length, COMPARED)))
  let shared = 0
  for (let row = 0; row < Math.min(b.length, COMPARED); row++) if (places.has(b.offset[row])) shared++
  return shared
}

/** The commonest duration of a unit; samples of plain sound are many units of `unitBytes` each. */
function usualDuration(table: SampleTable, unitBytes: number | undefined): number {
  const counts = new Map<number, number>()
  for (let row = 0; row < table.length; row++) {
    const units = unitBytes ? Math.max(1, Math.floor(table.size[row] / unitBytes)) : 1
    const duration = table.duration[row] / units
    counts.set(duration, (counts.get(duration) ?? 0) + 1)
  }
  let usual = 0
  for (const [duration, count] of counts) if (count > (counts.get(usual) ?? 0)) usual = duration
  return usual
}

function meanDuration(table: SampleTable): number {
  let sum = 0
  for (let row = 0; row < table.length; row++) sum += table.duration[row]
  return table.length > 0 ? sum / table.length : 0
}
