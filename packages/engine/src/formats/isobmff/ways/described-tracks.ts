import { codecNamed } from '../../../codecs/index.ts'
import { type Candidate, clockOf } from '../../../recording/deduce/candidates.ts'
import type { Edit } from '../boxes/elst.ts'
import { firstComposition } from '../mend/times/track-length.ts'
import type { Movie, MovieTrack } from '../read/movie.ts'
import { FAMILY, type TrackBoxes } from '../write/draft-movie.ts'

/** Share of the samples timed that last equally long where a rate is said. */
const STEADY = 0.9

/**
 * The tracks of pictures and sound that a broken index still describes, though not where their samples are: its sample entries
 * are their own, and say more than the payload shows. Whether they are right is for the payload to say.
 */
export function remainingTracks(movie: Movie | undefined): Candidate[] {
  return (movie?.tracks ?? []).flatMap((track) => {
    const { description, entries, layout } = track
    if (track.external || track.protection || entries.length === 0 || layout.rows !== 'samples') return []
    if (!codecNamed(description.codec)?.recogniser(description)?.selfDelimiting) return []
    const candidate = candidateOf(track)
    return candidate.track.unit > 0 ? [candidate] : []
  })
}

function candidateOf(track: MovieTrack): Candidate {
  const { description, handlerType, entries, information, handler, trackBoxes, edits } = track
  const { codec, timescale, width, height, kind } = description
  const { unit, steady } = durationOf(track)
  const clock = kind === 'video' && unit === 0 ? clockOf(undefined) : { timescale, unit }
  const verbatim: TrackBoxes = {
    family: FAMILY,
    handler: handlerType,
    entry: entries[0].bytes,
    tail: track.header.tail,
    ...(information.length > 0 ? { information } : {}),
    ...(handler.length > 0 ? { handlerBox: handler } : {}),
    trackBoxes,
    ...(edits ? { edits: edits.map((edit) => opened(edit, track)) } : {}),
  }
  return {
    codec,
    origin: 'index',
    ...(steady && kind === 'video' ? { rate: { num: timescale, den: unit } } : {}),
    track: {
      kind,
      ...clock,
      verbatim,
      ...(width && height ? { width, height } : {}),
    },
  }
}

/**
 * An edit that lasts as long as the media that is found. What begins with the first picture shown does so wherever that is found
 * to be.
 */
function opened(edit: Edit, { description, tables }: MovieTrack): Edit {
  if (edit.mediaTime < 0) return edit
  const atFirst = description.kind === 'video' && edit.mediaTime === firstComposition(tables)
  return { ...edit, duration: 0, mediaTime: atFirst ? 0 : edit.mediaTime }
}

/** Ticks that a sample lasts by the durations left: what nearly all do, else their mean; 0 where none are left. */
function durationOf({ tables: { durations } }: MovieTrack): {
  readonly unit: number
  readonly steady: boolean
} {
  const samples = new Map<number, number>()
  let all = 0
  let ticks = 0
  for (let run = 0; run < (durations?.length ?? 0); run++) {
    const [count, value] = [durations?.counts[run] ?? 0, durations?.values[run] ?? 0]
    samples.set(value, (samples.get(value) ?? 0) + count)
    all += count
    ticks += count * value
  }
  const [usual] = [...samples].sort((a, b) => b[1] - a[1])
  const steady = usual !== undefined && usual[0] > 0 && usual[1] >= all * STEADY
  return { unit: steady ? usual[0] : all > 0 ? Math.round(ticks / all) : 0, steady }
}
