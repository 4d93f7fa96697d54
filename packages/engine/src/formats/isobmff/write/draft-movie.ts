import { DEFAULT_LIMITS } from '../../../bytes/limits.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import type { TrackKind } from '../../../model/report.ts'
import type { Draft, DraftTrack, Verbatim } from '../../../recording/draft.ts'
import { readBox } from '../../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { type Edit, NORMAL_RATE, writeEditList } from '../boxes/elst.ts'
import { UNDETERMINED, writeMediaHeader } from '../boxes/mdhd.ts'
import { DEFAULT_MOVIE_HEADER, writeMovieHeader } from '../boxes/mvhd.ts'
import { plainTrackTail, writeTrackHeader } from '../boxes/tkhd.ts'
import type { Movie } from '../read/movie.ts'
import { readOwnMovie } from '../read/read-movie.ts'
import { codingEntry } from './coding-entry.ts'

export const FAMILY = 'isobmff'

/** What a track of a draft keeps of ISO media: written as it is. */
export interface TrackBoxes extends Verbatim {
  readonly family: typeof FAMILY
  /** Handler type: `vide`, `soun`, `meta`, … */
  readonly handler: string
  /** The sample entry with its header. */
  readonly entry: Uint8Array
  /** Boxes of `minf` but `dinf` and `stbl`; by the handler when absent. */
  readonly information?: readonly Uint8Array[]
  /** The `hdlr` box; a plain one when absent. */
  readonly handlerBox?: Uint8Array
  /** The last 60 bytes of the track header (layer, volume, matrix, size); plain when absent. */
  readonly tail?: Uint8Array
  /** Boxes of `trak` as they are written. */
  readonly trackBoxes?: readonly Uint8Array[]
  readonly edits?: readonly Edit[]
}

/** What a draft keeps of a movie. */
export interface MovieBoxes extends Verbatim {
  readonly family: typeof FAMILY
  readonly fileType?: Uint8Array
  /** Ticks a second of the movie; 1000 when absent. */
  readonly timescale?: number
}

/** Shows a track from its first picture on, whatever its composition offsets. */
const FROM_FIRST_PICTURE: readonly Edit[] = [{ duration: 0, mediaTime: 0, rate: NORMAL_RATE }]
/** Handler types of tracks that keep none of their own. */
const HANDLERS: Readonly<Partial<Record<TrackKind, string>>> = { video: 'vide', audio: 'soun' }

/** What a track keeps of ISO media; undefined when it is another family's, or nobody's. */
export function boxesOf({ verbatim }: DraftTrack): TrackBoxes | undefined {
  return verbatim && isTrackBoxes(verbatim) ? verbatim : undefined
}

function isTrackBoxes(verbatim: Verbatim): verbatim is TrackBoxes {
  return verbatim.family === FAMILY
}

function isMovieBoxes(verbatim: Verbatim): verbatim is MovieBoxes {
  return verbatim.family === FAMILY
}

export function handlerOf(track: DraftTrack): string {
  return boxesOf(track)?.handler ?? HANDLERS[track.kind] ?? 'meta'
}

/** The edit list that a track is to have. */
export function editsOf(track: DraftTrack): readonly Edit[] | undefined {
  return boxesOf(track)?.edits ?? (track.fromFirstPicture ? FROM_FIRST_PICTURE : undefined)
}

/**
 * Writes the draft as a movie box and reads that as if a file held it, so that nothing downstream can tell where a movie came
 * from. Undefined when its entries make no track.
 */
export function draftMovie(draft: Draft): { readonly movie: Movie; readonly reader: ByteReader } | undefined {
  const kept = draft.verbatim && isMovieBoxes(draft.verbatim) ? draft.verbatim : undefined
  const writer = new BoxWriter()
  writer.box('moov', () => {
    writeMovieHeader(writer, { ...DEFAULT_MOVIE_HEADER, timescale: kept?.timescale ?? 1000 })
    for (const [i, track] of draft.tracks.entries()) writeTrack(writer, track, track.id ?? i + 1)
  })
  const reader = new ByteReader(new MemorySource(writer.bytes().slice()))
  const box = readBox(reader, 0, reader.size)
  if (!box) return undefined
  const movie = readOwnMovie(reader, box, kept?.fileType, DEFAULT_LIMITS)
  return movie && movie.tracks.length === draft.tracks.length ? { movie, reader } : undefined
}

function writeTrack(writer: BoxWriter, track: DraftTrack, id: number): void {
  writer.box('trak', () => {
    const { width = 0, height = 0 } = track
    const kept = boxesOf(track)
    const handler = handlerOf(track)
    const edits = editsOf(track)
    const tail = kept?.tail ?? plainTrackTail(width, height)
    writeTrackHeader(writer, { flags: 3, creation: 0, modification: 0, id, duration: 0, tail })
    if (edits) writeEditList(writer, edits)
    for (const box of kept?.trackBoxes ?? []) writer.raw(box)
    writer.box('mdia', () => {
      const { timescale } = track
      writeMediaHeader(writer, {
        creation: 0,
        modification: 0,
        timescale,
        duration: 0,
        language: UNDETERMINED,
        quality: 0,
      })
      if (kept?.handlerBox) writer.raw(kept.handlerBox)
      else writeNamedHandler(writer, handler)
      writer.box('minf', () => {
        for (const box of kept?.information ?? []) writer.raw(box)
        if (!kept?.information) writeMediaInformation(writer, handler)
        writeEmptyTables(writer, track)
      })
    })
  })
}

/** A `hdlr` box with a name that players show, ISO/IEC 14496-12:2022 §8.4.3. */
function writeNamedHandler(writer: BoxWriter, type: string): void {
  const name = { vide: 'VideoHandler', soun: 'SoundHandler' }[type] ?? 'DataHandler'
  writer.fullBox('hdlr', 0, 0, () => {
    writer.u32(0)
    writer.fourcc(type)
    writer.zeros(12)
    for (let i = 0; i < name.length; i++) writer.u8(name.charCodeAt(i))
    writer.u8(0)
  })
}

/** ISO/IEC 14496-12:2022 §8.4.5; time code has QuickTime's own. */
function writeMediaInformation(writer: BoxWriter, handler: string): void {
  if (handler === 'vide') writer.fullBox('vmhd', 0, 1, () => writer.zeros(8))
  else if (handler === 'soun') writer.fullBox('smhd', 0, 0, () => writer.zeros(4))
  else writer.fullBox('nmhd', 0, 0, () => {})
}

function writeEmptyTables(writer: BoxWriter, track: DraftTrack): void {
  writer.box('stbl', () => {
    writer.fullBox('stsd', 0, 0, () => {
      writer.u32(1)
      writer.raw(boxesOf(track)?.entry ?? codingEntry(track))
    })
    const perSample = track.constantBytes !== undefined
    writer.fullBox('stts', 0, 0, () => {
      writer.u32(perSample ? 1 : 0)
      if (!perSample) return
      writer.u32(0)
      writer.u32(track.unit)
    })
    writer.fullBox('stsc', 0, 0, () => writer.u32(0))
    writer.fullBox('stsz', 0, 0, () => {
      writer.u32(track.constantBytes ?? 0)
      writer.u32(0)
    })
    writer.fullBox('stco', 0, 0, () => writer.u32(0))
  })
}
