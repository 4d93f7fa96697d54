import { UNDETERMINED, writeMediaHeader } from '../../src/formats/isobmff/boxes/mdhd.ts'
import { DEFAULT_MOVIE_HEADER, writeMovieHeader } from '../../src/formats/isobmff/boxes/mvhd.ts'
import { plainTrackTail, writeTrackHeader } from '../../src/formats/isobmff/boxes/tkhd.ts'
import { BoxWriter } from '../../src/syntax/iso-boxes/box-writer.ts'
import { writeFileType } from '../../src/syntax/iso-boxes/ftyp.ts'

/** One coded unit with how long it lasts, in ticks of its track. */
export interface RecordedUnit {
  readonly bytes: Uint8Array
  readonly duration: number
  /** A decoder can start here; true when absent. */
  readonly key?: boolean
}

/** A track to be recorded. */
export interface RecordingTrack {
  /** Handler type: `vide`, `soun`, `meta`, … */
  readonly handler: string
  /** Ticks a second. */
  readonly timescale: number
  /** The sample entry with its header. */
  readonly entry: Uint8Array
  readonly width?: number
  readonly height?: number
  readonly units: readonly RecordedUnit[]
}

/** Ticks a second of the movie. */
const MOVIE_SCALE = 1000

/**
 * Writes a plain recording, as cameras lay it out: `ftyp`, `mdat` with the units of all tracks in the order of their times, each
 * a chunk of its own, and `moov` behind them.
 */
export function writeRecording(tracks: readonly RecordingTrack[]): Uint8Array {
  const writer = new BoxWriter()
  writeFileType(writer, { major: 'isom', minor: 0x200, compatible: ['isom', 'iso2', 'mp41'] })
  const offsets: number[][] = tracks.map(() => [])
  writer.box('mdat', () => {
    for (const { lane, unit } of interleaved(tracks)) {
      offsets[lane].push(writer.length)
      writer.raw(unit.bytes)
    }
  })
  writer.box('moov', () => {
    const longest = Math.max(...tracks.map((track) => seconds(track)))
    writeMovieHeader(writer, {
      ...DEFAULT_MOVIE_HEADER,
      timescale: MOVIE_SCALE,
      duration: Math.round(longest * MOVIE_SCALE),
    })
    for (const [i, track] of tracks.entries()) writeTrack(writer, track, i + 1, offsets[i])
  })
  return writer.bytes().slice()
}

function ticks(track: RecordingTrack): number {
  return track.units.reduce((sum, { duration }) => sum + duration, 0)
}

function seconds(track: RecordingTrack): number {
  return ticks(track) / track.timescale
}

/** Units by their times; of equal times the first track's first. */
function interleaved(tracks: readonly RecordingTrack[]): { lane: number; unit: RecordedUnit }[] {
  const units = tracks.flatMap((track, lane) => {
    let time = 0
    return track.units.map((unit) => {
      const at = time / track.timescale
      time += unit.duration
      return { lane, unit, at }
    })
  })
  return units.sort((a, b) => a.at - b.at || a.lane - b.lane)
}

function writeTrack(writer: BoxWriter, track: RecordingTrack, id: number, offsets: readonly number[]): void {
  const { handler, timescale, entry, units, width = 0, height = 0 } = track
  const shown = Math.round(seconds(track) * MOVIE_SCALE)
  const dates = { creation: 0, modification: 0 }
  writer.box('trak', () => {
    const tail = plainTrackTail(width, height)
    writeTrackHeader(writer, { ...dates, flags: 3, id, duration: shown, tail })
    writer.box('mdia', () => {
      writeMediaHeader(writer, {
        ...dates,
        timescale,
        duration: ticks(track),
        language: UNDETERMINED,
        quality: 0,
      })
      writer.fullBox('hdlr', 0, 0, () => {
        writer.u32(0)
        writer.fourcc(handler)
        writer.zeros(13)
      })
      writer.box('minf', () => {
        if (handler === 'vide') writer.fullBox('vmhd', 0, 1, () => writer.zeros(8))
        else if (handler === 'soun') writer.fullBox('smhd', 0, 0, () => writer.zeros(4))
        else writer.fullBox('nmhd', 0, 0, () => {})
        writer.box('dinf', () => {
          writer.fullBox('dref', 0, 0, () => {
            writer.u32(1)
            writer.fullBox('url ', 0, 1, () => {})
          })
        })
        writer.box('stbl', () => {
          writer.fullBox('stsd', 0, 0, () => {
            writer.u32(1)
            writer.raw(entry)
          })
          table(
            writer,
            'stts',
            units.map(({ duration }) => [1, duration]),
          )
          const keys = units.flatMap(({ key }, row) => (key === false ? [] : [[row + 1]]))
          if (keys.length < units.length) table(writer, 'stss', keys)
          table(writer, 'stsc', [[1, 1, 1]])
          writer.fullBox('stsz', 0, 0, () => {
            writer.u32(0)
            writer.u32(units.length)
            for (const { bytes } of units) writer.u32(bytes.length)
          })
          table(
            writer,
            'stco',
            offsets.map((offset) => [offset]),
          )
        })
      })
    })
  })
}

/** A full box that is a count and entries of 32-bit numbers. */
function table(writer: BoxWriter, type: string, entries: readonly (readonly number[])[]): void {
  writer.fullBox(type, 0, 0, () => {
    writer.u32(entries.length)
    for (const entry of entries) for (const value of entry) writer.u32(value)
  })
}
