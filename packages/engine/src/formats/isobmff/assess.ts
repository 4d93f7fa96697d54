import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import { type Alignment, align } from '../../recording/align/align.ts'
import { ROW_BROKEN, ROW_DAMAGED, ROW_OUTSIDE, type TrackAlignment } from '../../recording/align/row-state.ts'
import { type SampleChecker, sampleChecker } from '../../recording/align/sample-checker.ts'
import { lacksSets, readRecord } from '../../recording/flipped-set-bit.ts'
import {
  badValue,
  externalData,
  payloadShift,
  samplesDamaged,
  samplesMismatch,
  samplesOutsideMedia,
  samplesPastEnd,
  unindexedMedia,
} from './findings.ts'
import { suggestShifts } from './mend/chunks/suggest-shifts.ts'
import { unindexedTail } from './mend/unindexed-tail.ts'
import type { Movie, MovieTrack } from './read/movie.ts'
import { type FileReading, type ReadingDepth, readFile } from './read/read.ts'
import { keysOf } from './ways/descriptions/flipped-set-bit.ts'

/** The index of a movie held against the bytes of its file. */
export interface HeldIndex {
  readonly movie: Movie
  /** Tracks whose samples lie in this file, in the movie's order. */
  readonly tracks: readonly MovieTrack[]
  readonly checkers: readonly SampleChecker[]
  readonly alignment: Alignment
  /** Payload behind the last indexed sample that holds coded units. */
  readonly unindexed: readonly Region[]
}

/** A file read and its index held against its bytes: what diagnosis reports and repair works from. */
export interface Assessment {
  readonly reading: FileReading
  readonly findings: Findings
  /** Present when there is a movie. */
  readonly index?: HeldIndex
  /** Structures and samples are all as they should be. */
  readonly healthy: boolean
}

/** Findings of one kind reported of one track; further ones are alike. */
const RUNS_REPORTED = 40

/** Reads a file and checks every sample that its index names. Reads the file once or twice. */
export async function assess(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  depth: ReadingDepth = 'search',
): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const reading = await readFile(reader, limits, findings, monitor, depth)
  if (!reading.movie) return { reading, findings, healthy: false }
  const index = await holdIndex(reader, reading, reading.movie, findings, monitor)
  return {
    reading,
    findings,
    index,
    // a movie that is not whole has a finding that says why
    healthy: findings.healthy && (namesSamples(index) || isInitialisation(reading)),
  }
}

function namesSamples({ tracks }: HeldIndex): boolean {
  return tracks.some((track) => track.samples.length > 0)
}

/** True for an initialisation segment, ISO/IEC 14496-12:2022 §8.16.1: a movie box for fragments that lie in other files. */
function isInitialisation({ movie, fragments, survey }: FileReading): boolean {
  return (movie?.fragmented ?? false) && fragments.length === 0 && survey.payload.length === 0
}

/** Holds a movie's tables against the bytes and reports what does not fit. */
export async function holdIndex(
  reader: ByteReader,
  reading: FileReading,
  movie: Movie,
  findings: Findings,
  monitor: Monitor,
): Promise<HeldIndex> {
  for (const track of movie.tracks) {
    if (track.external) findings.add(externalData(track.description.id, movie.box.offset))
  }
  const tracks = movie.tracks.filter((track) => !track.external)
  const tables = tracks.map((track) => track.samples)
  const suggestions = suggestShifts(reading, tables)
  const checkers = tracks.map((track) => sampleChecker(reader, track.description, track.samples, suggestions))
  const { payload } = reading.survey
  const alignment = await align({
    reader,
    tables,
    checkers,
    payload,
    suggestions,
    monitor,
    stage: 'diagnose',
  })
  for (const piece of alignment.pieces)
    if (piece.shift !== 0)
      findings.add(payloadShift(piece.from, piece.shift, piece.rows, alignment.explained))
  for (const track of tracks) reportRecord(reader, track, movie.box.offset, findings)
  for (const [i, track] of tracks.entries()) reportTrack(reader, track, alignment.tracks[i], findings)
  const unindexed = unindexedTail(reader, reading, tracks, alignment, checkers)
  for (const region of unindexed) findings.add(unindexedMedia(region.offset, region.length))
  return { movie, tracks, checkers, alignment, unindexed }
}

/** A record that names no parameter sets though its pictures prove, with one bit of it flipped, that they stand in it. */
function reportRecord(reader: ByteReader, track: MovieTrack, movie: number, findings: Findings): void {
  const { codec, framing, config } = track.description
  if (framing !== 'length' || !lacksSets(codec, config)) return
  if (!readRecord(reader, track.description, keysOf(track))?.mended) return
  const record = codec === 'h264' ? 'avcC' : 'hvcC'
  findings.add(badValue(record, movie, 'its counts hide the parameter sets', '8.5.2', 'error'))
}

function reportTrack(
  reader: ByteReader,
  track: MovieTrack,
  alignment: TrackAlignment,
  findings: Findings,
): void {
  const { samples, description } = track
  let past = 0
  let firstPast = Number.POSITIVE_INFINITY
  let elsewhere = 0
  let firstElsewhere = -1
  for (let row = 0; row < samples.length; row++) {
    if (alignment.state[row] !== ROW_OUTSIDE) continue
    const offset = samples.offset[row] + alignment.shift[row]
    if (offset + samples.size[row] > reader.size) {
      past += samples.count[row]
      firstPast = Math.min(firstPast, offset)
    } else {
      if (elsewhere === 0) firstElsewhere = Math.max(0, offset)
      elsewhere += samples.count[row]
    }
  }
  if (past > 0) findings.add(samplesPastEnd(description.id, past, Math.min(firstPast, reader.size)))
  if (elsewhere > 0) findings.add(samplesOutsideMedia(description.id, elsewhere, firstElsewhere))
  eachRun(samples, alignment, ROW_BROKEN, (first, count, offset, length) =>
    findings.add(samplesMismatch(description.id, description.codec, first, count, offset, length)),
  )
  eachRun(samples, alignment, ROW_DAMAGED, (first, count, offset, length) =>
    findings.add(samplesDamaged(description.id, description.codec, first, count, offset, length)),
  )
}

/** Calls `visit` for runs of neighbouring rows in a state, as far as they are reported. */
function eachRun(
  samples: SampleTable,
  alignment: TrackAlignment,
  state: number,
  visit: (first: number, count: number, offset: number, length: number) => void,
): void {
  let runs = 0
  for (let row = 0; row < samples.length && runs < RUNS_REPORTED; row++) {
    if (alignment.state[row] !== state) continue
    const first = row
    while (row + 1 < samples.length && alignment.state[row + 1] === state) row++
    const offset = samples.offset[first] + alignment.shift[first]
    const end = samples.offset[row] + alignment.shift[row] + samples.size[row]
    visit(first, row - first + 1, offset, Math.max(0, end - offset))
    runs++
  }
}
