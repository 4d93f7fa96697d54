import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { type Region, subtractRegions } from '../../../bytes/regions.ts'
import { Allowance } from '../../../model/allowance.ts'
import { countBelow } from '../../../model/bisect.ts'
import { Findings } from '../../../model/finding.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { SampleTable } from '../../../model/sample-table.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'
import { initMissing, moovDuplicate, moovMissing, moovUnusable } from '../findings.ts'
import { mendFragmentScales } from '../mend/fragments/fragment-scales.ts'
import { withClearNals } from './encryption.ts'
import { protectionSystems, readFragmentKeys } from './fragment-keys.ts'
import type { Movie } from './movie.ts'
import { orphanMovies } from './orphan-tracks.ts'
import { readFragments, withFragmentTimes } from './read-fragments.ts'
import { describesTracks, type MovieWork, movieWork, readFileType, readMovie } from './read-movie.ts'
import { boxRegions, findSwallowed, mostBoxes, SPENT_MOVIE, type Survey, survey } from './survey.ts'
import { withUsedEntry } from './used-entry.ts'

/** How far a file is read when its top level names no movie. */
export type ReadingDepth = 'walk' | 'search'

/** Everything a file's structures say, read once. */
export interface FileReading {
  readonly survey: Survey
  /** The movie with most samples; its tables include those of the fragments. */
  readonly movie: Movie | undefined
  /** Further usable movie boxes, with the offset of the file type box before each: recordings run together. */
  readonly others: readonly Movie[]
  /** A movie box of which only headers of tracks are left. */
  readonly remnant: Movie | undefined
  /** Movie fragments in file order. */
  readonly fragments: readonly Box[]
  readonly fileType: Uint8Array | undefined
  /** The payload was searched for movie boxes that the walk passed over, or there was no need to. */
  readonly searched: boolean
  /** Bytes that may be looked at for units that no index names, in all that is asked of this reading. */
  readonly unitSteps: Allowance
}

/** Such bytes of any file, and of one of so many bytes: every kind of track looks at a few megabytes of a region. */
const UNIT_STEPS = 4_000_000
const UNIT_STEPS_A_BYTE = 1

/**
 * Surveys a file and reads its movie boxes and fragments. At most two passes over the file, one if it is sound. `walk` puts
 * off the second one, the search of the payload of a file without a movie box or fragment.
 */
export async function readFile(
  reader: ByteReader,
  limits: Limits,
  findings: Findings,
  monitor: Monitor,
  depth: ReadingDepth = 'search',
): Promise<FileReading> {
  let seen = await survey(reader, findings, monitor)
  const fileType = readFileType(reader)
  let fragments = seen.boxes.filter((box) => box.type === 'moof')
  const remnants: Movie[] = []
  const unitSteps = new Allowance(UNIT_STEPS + UNIT_STEPS_A_BYTE * reader.size, reader.work)
  const work = movieWork(reader.size, reader.work)
  const read = (boxes: readonly Box[]): Promise<{ movie: Movie; own: Findings }[]> =>
    readMovies(reader, boxes, fileType, seen.payload, limits, findings, remnants, work, monitor)
  let movies = await read(seen.boxes)
  const searched = movies.length > 0 || fragments.length > 0 || depth === 'search'
  if (movies.length === 0 && searched) {
    const left = Math.max(1, mostBoxes(reader) - seen.boxes.length)
    const swallowed = await findSwallowed(reader, seen.payload, monitor, left)
    movies = await read(swallowed)
    let held: readonly Box[] = swallowed.filter(({ offset }) => reader.fourcc(offset + 4) === SPENT_MOVIE)
    const tracks = swallowed.filter((box) => box.type === 'trak')
    if (movies.length === 0 && tracks.length > 0) {
      held = orphanMovies(reader, tracks, seen.payload)
      movies = await read(held)
    }
    if (movies.length > 0)
      seen = { ...seen, payload: subtractRegions(seen.payload, boxRegions(reader, held)) }
    fragments = [...fragments, ...swallowed.filter((box) => box.type === 'moof')].sort(
      (a, b) => a.offset - b.offset,
    )
  }
  if (movies.length === 0) {
    if (fragments.length > 0) findings.add(initMissing(fragments[0].offset))
    else findings.add(moovMissing(reader.size))
    const remnant = remnants.at(0)
    return { survey: seen, movie: undefined, others: [], remnant, fragments, fileType, searched, unitSteps }
  }
  const ranked = movies
    .map(({ movie, own }) => ({ movie, own, rows: rowsOf(movie) }))
    .sort((a, b) => b.rows - a.rows)
  const best = ranked[0]
  findings.join(best.own)
  for (const other of ranked.slice(1))
    findings.add(moovDuplicate(other.movie.box.offset, other.movie.box.size))
  let { movie } = best
  if (fragments.length > 0 && areLeftOver(reader, fragments, movie)) fragments = []
  if (fragments.length > 0) {
    const targets = movie.tracks.map((track) => ({
      id: track.description.id,
      description: track.description,
      extends: track.extends,
      samples: track.samples,
    }))
    const told = readFragments(reader, fragments, targets, findings)
    const { unknownTracks } = told
    // A track whose id was damaged is the one that got no samples.
    const idle = targets.filter((target) => target.samples.length === 0)
    if (unknownTracks.size > 0 && unknownTracks.size === idle.length) {
      const ids = [...unknownTracks]
      readFragments(
        reader,
        fragments,
        idle.map((target, i) => ({ ...target, id: ids[i] })),
        new Findings(0),
      )
    }
    const tracks = movie.tracks.map((track) =>
      withUsedEntry(reader, withFragmentTimes(track, track.description.id, told)),
    )
    movie = { ...movie, tracks: mendFragmentScales(tracks, !best.own.healthy, findings) }
  }
  if (fragments.length > 0 && movie.tracks.some(({ protection }) => protection)) {
    readFragmentKeys(reader, fragments, movie.tracks)
    const tracks = movie.tracks.map((track) => {
      const { description, entries, protection, keys } = track
      if (!protection || !keys) return track
      return { ...track, description: withClearNals(reader, description, entries[0], protection, keys) }
    })
    const systems = protectionSystems(reader, fragments, movie.boxes)
    movie = { ...movie, tracks, boxes: [...movie.boxes, ...systems] }
  }
  const others = ranked.slice(1).map((other) => other.movie)
  return { survey: seen, movie, others, remnant: undefined, fragments, fileType, searched, unitSteps }
}

/**
 * Whether samples of fragments are those that a movie without fragments names: cameras that write fragments while they record
 * leave them in the media data when they finish the file.
 */
function areLeftOver(reader: ByteReader, fragments: readonly Box[], movie: Movie): boolean {
  if (movie.fragmented) return false
  const targets = movie.tracks.map((track) => ({
    id: track.description.id,
    description: track.description,
    extends: track.extends,
    samples: new SampleTable(),
  }))
  readFragments(reader, fragments, targets, new Findings(0))
  let added = 0
  let named = 0
  for (const [i, { samples }] of targets.entries()) {
    const table = movie.tracks[i].samples
    const places = table.offset.slice(0, table.length).sort()
    added += samples.length
    for (let row = 0; row < samples.length; row++)
      if (places[countBelow(places, samples.offset[row])] === samples.offset[row]) named++
  }
  return named * 2 > added
}

/** Movie boxes read in full; more than a few in one file are copies or attacks. */
const MAX_MOVIES = 8

async function readMovies(
  reader: ByteReader,
  boxes: readonly Box[],
  fileType: Uint8Array | undefined,
  payload: readonly Region[],
  limits: Limits,
  findings: Findings,
  remnants: Movie[],
  work: MovieWork,
  monitor: Monitor,
): Promise<{ movie: Movie; own: Findings }[]> {
  const movies: { movie: Movie; own: Findings }[] = []
  for (const box of boxes.filter((candidate) => candidate.type === 'moov').slice(0, MAX_MOVIES)) {
    const own = new Findings(limits.findings)
    const movie = await readMovie(reader, box, fileType, limits, own, payload, work, monitor)
    if (movie && describesTracks(movie)) movies.push({ movie, own })
    else {
      if (movie) remnants.push(movie)
      findings.join(own)
      findings.add(moovUnusable(box.offset, box.size, 'no track in it can be read'))
    }
  }
  return movies
}

function rowsOf(movie: Movie): number {
  return movie.tracks.reduce((sum, track) => sum + track.samples.length, 0)
}
