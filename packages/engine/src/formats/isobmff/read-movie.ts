import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Findings } from '../../model/finding.ts'
import { type Box, bodyOf, boxBytes, childOf, isCut, readBox, readChildren } from './boxes/box.ts'
import { parseTrackExtends, type TrackExtends } from './boxes/mvex.ts'
import { DEFAULT_MOVIE_HEADER, parseMovieHeader } from './boxes/mvhd.ts'
import { verbatim } from './boxes/verbatim.ts'
import { type OpenedMovie, openCompressedMovie } from './compressed-movie.ts'
import { boxGarbage, boxMissing, boxSize, moovTruncated } from './findings.ts'
import { mendBoxes } from './mend/boxes.ts'
import { mendChunkMap } from './mend/chunk-map.ts'
import { mendLayout } from './mend/layout.ts'
import { mendTimes } from './mend/times.ts'
import { mendTrackIds } from './mend/track-ids.ts'
import type { Movie } from './movie.ts'
import { finishTrack, readTrack, type TrackDraft } from './read-track.ts'
import type { Region } from './regions.ts'
import { collectFlat, collectTree, type TrackParts } from './track-parts.ts'

/**
 * Reads a movie box, ISO/IEC 14496-12:2022 §8.2.1, as far as its bytes go. A broken tree is searched for the leaves of
 * its tracks. A compressed one is opened first. Undefined when nothing of a track is in it.
 */
export function readMovie(
  source: ByteReader,
  box: Box,
  fileType: Uint8Array | undefined,
  limits: Limits,
  findings: Findings,
  payload: readonly Region[] = [],
): Movie | undefined {
  if (box.end - box.offset > limits.structureBytes) return undefined
  const compressed = childOf(readChildren(source, bodyOf(box), box.end).boxes, 'cmov')
  if (!compressed)
    return readOpenMovie({ reader: source, box }, source, box, fileType, limits, findings, payload)
  if (isCut(box)) findings.add(moovTruncated(box.offset, box.size, box.end - box.offset))
  const opened = openCompressedMovie(source, compressed, limits, findings)
  return opened && readOpenMovie(opened, source, box, fileType, limits, findings, payload)
}

/** Reads a movie box that lies open in `opened`; `source` is the file with the samples, where the box stands at `place`. */
function readOpenMovie(
  opened: OpenedMovie,
  source: ByteReader,
  place: Box,
  fileType: Uint8Array | undefined,
  limits: Limits,
  findings: Findings,
  payload: readonly Region[],
): Movie | undefined {
  const { box } = opened
  if (isCut(box)) findings.add(moovTruncated(place.offset, box.size, box.end - box.offset))
  const reader = mendBoxes(opened.reader, box, findings)
  const children = readChildren(reader, bodyOf(box), box.end)
  const trees = children.boxes
    .filter((child) => child.type === 'trak')
    .map((trak) => collectTree(reader, trak, findings))
  let parts: TrackParts[] = trees
  let sound = children.sound && trees.every((tree) => tree.sound)
  if (!children.sound && !isCut(box)) reportUnsound(children.boxes, children.stopped, box, findings)
  if (!sound) {
    const flat = collectFlat(reader, bodyOf(box), box.end)
    if (richness(flat) > richness(trees)) parts = flat
  }
  const extends_ = readExtends(reader, children.boxes)
  const headerBox = childOf(children.boxes, 'mvhd')
  const header = headerBox ? parseMovieHeader(reader, headerBox) : undefined
  if (!header) {
    findings.add(boxMissing('mvhd', 'the movie box', box.offset, '8.2.2'))
    sound = false
  }
  const movieHeader = header ?? DEFAULT_MOVIE_HEADER
  const drafts: TrackDraft[] = []
  for (const part of parts.slice(0, limits.tracks)) {
    const draft = readTrack(reader, part, drafts.length + 1, extends_, movieHeader.timescale, findings)
    if (draft) drafts.push(draft)
    else sound = false
  }
  if (drafts.length === 0) return undefined
  const numbered = findings.healthy ? drafts : mendTrackIds(drafts, findings)
  const placed = mendLayout(source, numbered, payload, findings).map((tables, i) => ({
    ...numbered[i],
    tables,
  }))
  for (const { description, tables } of placed) mendChunkMap(description.id, tables, findings)
  const mended = mendTimes({ header: movieHeader, tracks: placed }, !findings.healthy, findings)
  const tracks = mended.tracks.map((draft) => finishTrack(draft, limits, findings))
  return {
    fileType,
    header: mended.header,
    headerLost: header === undefined,
    tracks,
    boxes: verbatim(reader, children.boxes, new Set(['mvhd', 'trak', 'mvex', 'free', 'skip', 'wide'])),
    box: place,
    fragmented: childOf(children.boxes, 'mvex') !== undefined,
    whole: sound && tracks.every((track) => track.whole),
  }
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
