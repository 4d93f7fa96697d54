import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import {
  type CameraProfile,
  hexOf,
  type IsoTrack,
  type ProfileTrack,
} from '../../../recording/cameras/camera-profile.ts'
import { makeLanes } from '../../../recovery/carving/lane.ts'
import { learn } from '../../../recovery/learning/learn.ts'
import { isUsable } from '../diagnose.ts'
import type { Movie, MovieTrack } from '../read/movie.ts'

/** Boxes that say who, where and when, or hold pictures: never part of a profile. */
const KEPT_TRACK_BOXES: ReadonlySet<string> = new Set(['tref', 'tapt'])
/** Gap patterns kept: a camera has a handful, the rest is chance. */
const MOST_PATTERNS = 24
/** A pattern kept occurs in this share of the gaps, or is the only one of its track. */
const RARE = 0.02

/**
 * Takes the facts of a healthy recording: no samples, no dates, places or names. Undefined when it has no track with samples.
 * `name` is the camera's, as reports show it.
 */
export function makeProfile(
  reader: ByteReader,
  movie: Movie,
  name: string,
  limits: Limits,
): CameraProfile | undefined {
  const tracks = movie.tracks.filter(isUsable)
  if (tracks.length === 0) return undefined
  const recorded = tracks.map((track) => ({ description: track.description, table: track.samples }))
  const { lanes } = makeLanes(
    recorded.map(({ description }) => description),
    limits.samplesPerTrack,
  )
  const interleave = learn(
    reader,
    recorded,
    lanes.map((lane) => lane.group >= 0),
  )
  const all = interleave.patterns.reduce((sum, { count }) => sum + count, 0)
  const patterns = interleave.patterns.filter(
    (pattern, i, list) =>
      pattern.count >= all * RARE || list.findIndex((other) => sameLanes(other, pattern)) === i,
  )
  return {
    name,
    marks: marksOf(reader, tracks),
    isobmff: {
      fileType: movie.fileType ? hexOf(movie.fileType) : '',
      timescale: movie.header.timescale,
    },
    tracks: tracks.map((track, i) => {
      const { prefix, ...habits } = interleave.lanes[i]
      return {
        ...trackFacts(track),
        habits: { ...rounded(habits, thousandths), prefix: hexOf(prefix) },
        isobmff: boxesOf(track),
      }
    }),
    layout: {
      patterns: patterns.slice(0, MOST_PATTERNS),
      lead: interleave.lead.map(hundredths),
      spread: interleave.spread.map(hundredths),
      reference: interleave.reference,
      filler: interleave.filler,
      sound: interleave.sound,
      ...(interleave.lag ? { lag: rounded(interleave.lag, hundredths) } : {}),
    },
  }
}

function sameLanes(
  a: { pieces: readonly { lane: number }[] },
  b: { pieces: readonly { lane: number }[] },
): boolean {
  return a.pieces.length === b.pieces.length && a.pieces.every((piece, i) => piece.lane === b.pieces[i].lane)
}

function trackFacts(track: MovieTrack): Omit<ProfileTrack, 'habits' | 'isobmff'> {
  const { description, layout } = track
  const size = description.kind === 'video' ? `, ${description.width}x${description.height}` : ''
  const sound =
    description.kind === 'audio' ? `, ${description.sampleRate} Hz, ${description.channels} channels` : ''
  return {
    about: `${description.codec}${size}${sound}`,
    id: track.header.id,
    kind: description.kind,
    timescale: description.timescale,
    width: description.kind === 'video' ? (description.width ?? 0) : 0,
    height: description.kind === 'video' ? (description.height ?? 0) : 0,
    ...(layout.rows === 'runs' ? { constantBytes: layout.unitBytes } : {}),
  }
}

function boxesOf(track: MovieTrack): IsoTrack {
  return {
    handler: track.handlerType,
    entry: hexOf(track.entries[0]?.bytes ?? new Uint8Array(0)),
    information: track.information.filter((box) => !isBox(box, 'dinf')).map(hexOf),
    handlerBox: hexOf(track.handler),
    trackBoxes: track.trackBoxes.filter((box) => KEPT_TRACK_BOXES.has(typeOf(box))).map(hexOf),
    edits: (track.edits ?? []).map((edit) => (edit.mediaTime >= 0 ? { ...edit, duration: 0 } : edit)),
  }
}

function typeOf(box: Uint8Array): string {
  return String.fromCharCode(...box.subarray(4, 8))
}

function isBox(box: Uint8Array, type: string): boolean {
  return typeOf(box) === type
}

/** Bytes at the beginning of media data that are a name rather than content. */
const MARK_BYTES = 4

/** The first bytes of the media data, when they are letters: cameras that sign what they write. */
function marksOf(reader: ByteReader, tracks: readonly MovieTrack[]): string[] {
  const first = Math.min(...tracks.map((track) => track.samples.offset[0]))
  const bytes = reader.bytes(first, MARK_BYTES).slice()
  return bytes.length === MARK_BYTES && bytes.every(isLetter) ? [hexOf(bytes)] : []
}

function isLetter(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a
}

/** A profile is read by people: numbers without digits that mean nothing. */
function rounded<T extends object>(facts: T, round: (value: number) => number): T {
  const result = { ...facts }
  for (const key of Object.keys(facts) as (keyof T)[]) {
    const value = result[key]
    if (typeof value === 'number') Object.assign(result, { [key]: round(value) })
  }
  return result
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
