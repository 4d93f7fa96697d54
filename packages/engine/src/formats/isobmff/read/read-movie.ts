import { type Limits, samplesOfAllTracks } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { Allowance } from '../../../model/allowance.ts'
import { Findings } from '../../../model/finding.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { SampleTable } from '../../../model/sample-table.ts'
import {
  type Box,
  bodyOf,
  boxBytes,
  childOf,
  isCut,
  readBox,
  readChildren,
} from '../../../syntax/iso-boxes/box.ts'
import { parseTrackExtends, type TrackExtends } from '../boxes/mvex.ts'
import { DEFAULT_MOVIE_HEADER, type MovieHeader, parseMovieHeader } from '../boxes/mvhd.ts'
import { verbatim } from '../boxes/verbatim.ts'
import { boxGarbage, boxMissing, boxSize, claimsTooMuch, moovTruncated } from '../findings.ts'
import { mendBoxes } from '../mend/boxes.ts'
import { mendChunkMap } from '../mend/chunks/chunk-map.ts'
import { mendLayout } from '../mend/chunks/layout.ts'
import { isMisplaced } from '../mend/known-boxes.ts'
import { lostMovieScale, withUnknownWaits } from '../mend/times/time-scales.ts'
import { mendTimes } from '../mend/times/times.ts'
import { mendTrackIds } from '../mend/track-ids.ts'
import { withoutZeroed } from '../mend/zeroed-entries.ts'
import { type OpenedMovie, openCompressedMovie } from './compressed-movie.ts'
import type { Movie } from './movie.ts'
import { finishTrack, readTrack, type TrackDraft } from './read-track.ts'
import { collectFlat, collectTree, type TrackParts } from './track-parts.ts'

/** Steps that mending may take: so many, and so many more for every byte of the file. */
const MENDING_STEPS = 4_000_000
const MENDING_STEPS_A_BYTE = 4
/** The same for what tells time: a picture takes twenty, and with its entries in the tables forty bytes at the very least. */
const TIMING_STEPS = 1_000_000
const TIMING_STEPS_A_BYTE = 1 / 2
/** Boxes of all tracks together that are kept: a hundred tracks have some thousands. */
const MAX_BOXES = 100_000

/** What all movie boxes of a file together may cost. */
export interface MovieWork {
  /** Steps for mending flipped bits. */
  readonly mending: Allowance
  /** Steps for mending what tells time, which places in the file must not use up. */
  readonly timing: Allowance
  /** Rows of all tracks. */
  readonly rows: Allowance
}

/** @param whole what all searches of the file may take */
export function movieWork(fileSize: number, whole?: Allowance): MovieWork {
  return {
    timing: new Allowance(TIMING_STEPS + fileSize * TIMING_STEPS_A_BYTE, whole),
    mending: new Allowance(MENDING_STEPS + fileSize * MENDING_STEPS_A_BYTE, whole),
    rows: new Allowance(samplesOfAllTracks(fileSize)),
  }
}

/**
 * Reads a movie box, ISO/IEC 14496-12:2022 §8.2.1, as far as its bytes go. A broken tree is searched for the leaves of
 * its tracks, flipped bits are mended. A compressed one is opened first. Undefined when nothing of a track is in it. @throws
 * AbortedError
 */
export async function readMovie(
  source: ByteReader,
  box: Box,
  fileType: Uint8Array | undefined,
  limits: Limits,
  findings: Findings,
  payload: readonly Region[],
  work: MovieWork,
  monitor: Monitor,
): Promise<Movie | undefined> {
  if (box.end - box.offset > limits.structureBytes) return undefined
  const opened = openMovie(source, box, limits, findings)
  if (!opened) return undefined
  const reader = mendBoxes(opened.reader, opened.box, findings)
  const parsed = parseMovie(reader, opened.box, limits, findings)
  if (!parsed) return undefined
  const { drafts } = parsed
  const numbered = findings.healthy ? drafts : mendTrackIds(drafts, findings)
  const tables = await mendLayout(
    source,
    numbered,
    payload,
    isCut(opened.box),
    findings,
    work.mending,
    monitor,
  )
  const placed = numbered.map((draft, i) => ({
    ...draft,
    tables: draft.external ? tables[i] : withoutZeroed(draft.description, tables[i], findings),
  }))
  for (const draft of placed) mendChunkMap(draft.description.id, draft.tables, findings)
  const scale = parsed.headerLost ? lostMovieScale(placed) : undefined
  const header = scale === undefined ? parsed.header : { ...parsed.header, timescale: scale }
  const mended = mendTimes(
    { header, tracks: parsed.headerLost && scale === undefined ? withUnknownWaits(placed) : placed },
    !findings.healthy,
    findings,
    work.timing,
    limits.samplesPerTrack,
  )
  const whole = { ...parsed, header: mended.header, drafts: mended.tracks }
  return finishMovie(whole, box, fileType, source, limits, work.rows, findings)
}

/** Reads a movie box of the engine's own making, in which nothing can be amiss. */
export function readOwnMovie(
  reader: ByteReader,
  box: Box,
  fileType: Uint8Array | undefined,
  limits: Limits,
): Movie | undefined {
  const findings = new Findings(0)
  const parsed = parseMovie(reader, box, limits, findings)
  const rows = new Allowance(Number.POSITIVE_INFINITY)
  return parsed && finishMovie(parsed, box, fileType, undefined, limits, rows, findings)
}

/** The movie box where its children lie open. */
function openMovie(
  source: ByteReader,
  box: Box,
  limits: Limits,
  findings: Findings,
): OpenedMovie | undefined {
  const compressed = childOf(readChildren(source, bodyOf(box), box.end).boxes, 'cmov')
  if (compressed && isCut(box)) findings.add(moovTruncated(box.offset, box.size, box.end - box.offset))
  const opened = compressed
    ? openCompressedMovie(source, compressed, limits, findings)
    : { reader: source, box }
  if (opened && isCut(opened.box))
    findings.add(moovTruncated(box.offset, opened.box.size, opened.box.end - opened.box.offset))
  return opened
}

/** What the boxes of a movie say, before its tracks' tables are expanded into samples. */
interface ParsedMovie {
  readonly header: MovieHeader
  readonly headerLost: boolean
  readonly drafts: readonly TrackDraft[]
  readonly boxes: readonly Uint8Array[]
  readonly fragmented: boolean
  readonly extended: readonly number[]
  readonly unread: number
  /** Every structure was as it should be. */
  readonly sound: boolean
}

function parseMovie(
  reader: ByteReader,
  box: Box,
  limits: Limits,
  findings: Findings,
): ParsedMovie | undefined {
  const children = readChildren(reader, bodyOf(box), box.end)
  const kept = new Allowance(MAX_BOXES)
  const compact = new Allowance(samplesOfAllTracks(reader.size))
  const trees = children.boxes
    .filter((child) => child.type === 'trak')
    .slice(0, limits.tracks)
    .map((trak) => collectTree(reader, trak, findings, kept))
  let parts: TrackParts[] = trees
  let sound = children.sound && trees.every((tree) => tree.sound)
  if (!children.sound && !isCut(box)) reportUnsound(children.boxes, children.stopped, box, findings)
  if (!sound) {
    const flat = collectFlat(reader, bodyOf(box), box.end)
    if (richness(flat) > richness(trees)) parts = flat
  }
  const extends_ = readExtends(reader, children.boxes)
  const headerBox = childOf(children.boxes, 'mvhd')
  const parsed = headerBox ? parseMovieHeader(reader, headerBox) : undefined
  if (!parsed) {
    findings.add(boxMissing('mvhd', 'the movie box', box.offset, '8.2.2'))
    sound = false
  }
  const header = parsed ?? DEFAULT_MOVIE_HEADER
  const drafts: TrackDraft[] = []
  for (const part of parts.slice(0, limits.tracks)) {
    const draft = readTrack(reader, part, drafts.length + 1, extends_, header.timescale, compact, findings)
    if (draft) drafts.push(draft)
    else sound = false
  }
  if (drafts.length === 0) return undefined
  return {
    header,
    headerLost: parsed === undefined,
    drafts,
    boxes: verbatim(
      reader,
      children.boxes.filter(({ type }) => !isMisplaced('moov', type)),
      new Set(['mvhd', 'trak', 'mvex', 'free', 'skip', 'wide']),
    ),
    fragmented: childOf(children.boxes, 'mvex') !== undefined,
    extended: extends_.map(({ track }) => track),
    unread: Math.max(0, trees.length - drafts.length),
    sound,
  }
}

function finishMovie(
  parsed: ParsedMovie,
  box: Box,
  fileType: Uint8Array | undefined,
  media: ByteReader | undefined,
  limits: Limits,
  rows: Allowance,
  findings: Findings,
): Movie {
  const fileSize = media?.size ?? Number.POSITIVE_INFINITY
  const { header, headerLost, drafts, boxes, fragmented, extended, unread, sound } = parsed
  const tracks = drafts.map((draft) => {
    const track = finishTrack(media, draft, limits, rows, findings)
    if (bytesWithin(track.samples, fileSize) <= fileSize * MOST_CLAIMED) return track
    findings.add(claimsTooMuch(track.description.id, fileSize))
    return { ...track, samples: new SampleTable(limits.samplesPerTrack), whole: false }
  })
  const whole = sound && tracks.every((track) => track.whole)
  return { fileType, header, headerLost, tracks, boxes, box, fragmented, extended, unread, whole }
}

/** Times the file's bytes that the samples of one track may claim: an editor shows some twice; sizes that were hit claim more. */
const MOST_CLAIMED = 2

/** Bytes of the file that samples claim, each as often as it is claimed. */
function bytesWithin({ offset, size, length }: SampleTable, fileSize: number): number {
  let sum = 0
  for (let row = 0; row < length; row++)
    sum += Math.max(0, Math.min(fileSize, offset[row] + size[row]) - Math.max(0, offset[row]))
  return sum
}

/** Whether some track of a movie says what its samples are or how long; otherwise only headers of it are left. */
export function describesTracks(movie: Movie): boolean {
  return movie.tracks.some(({ entries, tables }) => entries.length > 0 || tables.sizes !== undefined)
}

function reportUnsound(boxes: readonly Box[], stopped: number, box: Box, findings: Findings): void {
  const last = boxes.at(-1)
  if (last && isCut(last)) findings.add(boxSize(last.type, last.offset, last.size, box.end - last.offset))
  else findings.add(boxGarbage(stopped, box.end - stopped, "'moov'"))
}

/** Leaves found over all tracks: the measure by which a reading of a broken tree is better than another. */
function richness(parts: readonly TrackParts[]): number {
  return parts.reduce((sum, part) => sum + part.leaves.size, 0)
}

function readExtends(reader: ByteReader, boxes: readonly Box[]): TrackExtends[] {
  const mvex = childOf(boxes, 'mvex')
  if (!mvex) return []
  return readChildren(reader, bodyOf(mvex), mvex.end)
    .boxes.filter((child) => child.type === 'trex')
    .map((child) => parseTrackExtends(reader, child))
    .filter((extend) => extend !== undefined)
}

/** The file type box at the head of the file, verbatim, when it stands there whole. */
export function readFileType(reader: ByteReader): Uint8Array | undefined {
  const box = readBox(reader, 0, reader.size)
  if (box?.type !== 'ftyp' || isCut(box) || box.size > 4096 || box.size < 16) return undefined
  return boxBytes(reader, box, 4096)
}
