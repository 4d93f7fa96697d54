import { DEFAULT_LIMITS } from '../../../bytes/limits.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { readBox } from '../../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { type Edit, NORMAL_RATE, writeEditList } from '../boxes/elst.ts'
import { UNDETERMINED, writeMediaHeader } from '../boxes/mdhd.ts'
import { DEFAULT_MOVIE_HEADER, writeMovieHeader } from '../boxes/mvhd.ts'
import { plainTrackTail, writeTrackHeader } from '../boxes/tkhd.ts'
import type { Movie } from '../read/movie.ts'
import { readOwnMovie } from '../read/read-movie.ts'

/** A track as it is supposed to be: what an index would say of it, without samples. */
export interface DraftTrack {
  /** Track id; tracks are numbered from 1 when absent. */
  readonly id?: number
  /** Handler type: `vide`, `soun`, `meta`, … */
  readonly handler: string
  /** Ticks a second. */
  readonly timescale: number
  /** Ticks of one coded unit (PCM: of one sample frame), 0 when unknown. */
  readonly unit: number
  /** The sample entry with its header. */
  readonly entry: Uint8Array
  /** Size of presentation in pixels. */
  readonly width?: number
  readonly height?: number
  /** Bytes of every sample, where all have the same (PCM: of one sample frame). */
  readonly constantBytes?: number
  /** Boxes of `minf` but `dinf` and `stbl`; by the handler when absent. */
  readonly information?: readonly Uint8Array[]
  /** The `hdlr` box; a plain one when absent. */
  readonly handlerBox?: Uint8Array
  /** The last 60 bytes of the track header (layer, volume, matrix, size); plain when absent. */
  readonly tail?: Uint8Array
  readonly language?: number
  readonly flags?: number
  /** Boxes of `trak` as they are written. */
  readonly trackBoxes?: readonly Uint8Array[]
  readonly edits?: readonly Edit[]
}

/** Shows a track from its first picture on, whatever its composition offsets. */
export const FROM_FIRST_PICTURE: readonly Edit[] = [{ duration: 0, mediaTime: 0, rate: NORMAL_RATE }]

/** A movie without samples. */
export interface Draft {
  readonly fileType?: Uint8Array
  /** Ticks a second of the movie; 1000 when absent. */
  readonly timescale?: number
  readonly tracks: readonly DraftTrack[]
  /** Boxes of `moov` behind the tracks. */
  readonly boxes?: readonly Uint8Array[]
}

/**
 * Writes the draft as a movie box and reads that as if a file held it, so that nothing downstream can tell where a movie came
 * from. Undefined when its entries make no track.
 */
export function draftMovie(draft: Draft): { readonly movie: Movie; readonly reader: ByteReader } | undefined {
  const writer = new BoxWriter()
  writer.box('moov', () => {
    writeMovieHeader(writer, { ...DEFAULT_MOVIE_HEADER, timescale: draft.timescale ?? 1000 })
    for (const [i, track] of draft.tracks.entries()) writeTrack(writer, track, track.id ?? i + 1)
    for (const box of draft.boxes ?? []) writer.raw(box)
  })
  const reader = new ByteReader(new MemorySource(writer.bytes().slice()))
  const box = readBox(reader, 0, reader.size)
  if (!box) return undefined
  const movie = readOwnMovie(reader, box, draft.fileType, DEFAULT_LIMITS)
  return movie && movie.tracks.length === draft.tracks.length ? { movie, reader } : undefined
}

function writeTrack(writer: BoxWriter, track: DraftTrack, id: number): void {
  writer.box('trak', () => {
    const { width = 0, height = 0 } = track
    const tail = track.tail ?? plainTrackTail(width, height)
    writeTrackHeader(writer, { flags: track.flags ?? 3, creation: 0, modification: 0, id, duration: 0, tail })
    if (track.edits) writeEditList(writer, track.edits)
    for (const box of track.trackBoxes ?? []) writer.raw(box)
    writer.box('mdia', () => {
      const { timescale, language = UNDETERMINED } = track
      writeMediaHeader(writer, { creation: 0, modification: 0, timescale, duration: 0, language, quality: 0 })
      if (track.handlerBox) writer.raw(track.handlerBox)
      else writeNamedHandler(writer, track.handler)
      writer.box('minf', () => {
        for (const box of track.information ?? []) writer.raw(box)
        if (!track.information) writeMediaInformation(writer, track.handler)
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
      writer.raw(track.entry)
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
