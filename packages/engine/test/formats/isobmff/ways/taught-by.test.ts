import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { type CarvedFile, recorded, type Teacher } from '../../../../src/formats/isobmff/ways/carve-file.ts'
import type { RecoveredTrack } from '../../../../src/formats/isobmff/ways/index/surviving-index.ts'
import {
  lacksTracks,
  missesPictures,
  showsNone,
} from '../../../../src/formats/isobmff/ways/sample/foreign-sample.ts'
import { withoutTracks } from '../../../../src/formats/isobmff/ways/sample/opus-tracks.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'
import { readerOf } from '../support/engine.ts'

function trackOf(id: number, kind: string): MovieTrack {
  const [description, samples] = [{ id, kind }, new SampleTable()]
  return { description, header: { id }, tables: {}, samples } as unknown as MovieTrack
}

const [PICTURES, SOUND, DATA] = [trackOf(1, 'video'), trackOf(2, 'audio'), trackOf(3, 'data')]

function teacherOf(more: Partial<Teacher> = {}, ...tracks: readonly MovieTrack[]): Teacher {
  return { tracks, movie: { tracks }, origin: 'sample', ...more } as unknown as Teacher
}

describe('a track to learn from', () => {
  const { description, samples } = PICTURES

  it('is told by a sample, and is what it is told to be', () => {
    for (const origin of ['sample', 'index'] as const)
      expect(recorded(teacherOf({ origin }), PICTURES)).toEqual({ description, table: samples, told: true })
    expect(recorded(teacherOf({ origin: 'payload' }), PICTURES)).toEqual({ description, table: samples })
    expect(recorded(teacherOf(), PICTURES, SOUND.description).description).toBe(SOUND.description)
  })

  it('has the lessons and times of its own alone, and leaves pictures out where it is the one that does', () => {
    const lesson = (id: number) => ({ id, reader: readerOf(new Uint8Array(1)), table: new SampleTable() })
    const [own, other, table] = [lesson(1), lesson(2), new SampleTable()]
    const of = (id: number) => teacherOf({ lessons: [other, own], leavesOut: id, asRecorded: { id, table } })
    expect(recorded(of(1), PICTURES)).toEqual({
      ...{ description, table: samples, told: true, lessons: own, leavesOut: true, asRecorded: table },
    })
    expect(recorded(of(1), PICTURES).lessons).toBe(own)
    expect(recorded(of(2), PICTURES)).toEqual({ description, table: samples, told: true, lessons: own })
  })
})

it('a sample without some of its tracks has the others, in its movie too', () => {
  const rest = withoutTracks(teacherOf({}, PICTURES, SOUND, DATA), [SOUND])
  expect([rest.tracks, rest.movie.tracks]).toEqual([
    [PICTURES, DATA],
    [PICTURES, DATA],
  ])
})

describe('a sample that does not fit', () => {
  const payload = [
    { offset: 0, length: 600 },
    { offset: 900, length: 400 },
  ]
  function carvedOf(
    bytes: number,
    found: readonly MovieTrack[],
    absent: readonly MovieTrack[] = [],
  ): CarvedFile {
    const tracks = found.map((template) => ({ plan: { template } }) as unknown as RecoveredTrack)
    const unexplained = { bytes, hidesUnits: false }
    return {
      tracks,
      unexplained,
      absent: absent.map(({ description }) => description),
    } as unknown as CarvedFile
  }

  it('has pictures where nothing but sound is found, and most of the payload is something else', () => {
    const teacher = teacherOf({}, PICTURES, SOUND)
    expect(showsNone(teacher, carvedOf(0, [SOUND]))).toBe(true)
    expect(showsNone(teacher, carvedOf(0, [SOUND, PICTURES]))).toBe(false)
    expect(showsNone(teacherOf({}, SOUND), carvedOf(0, [SOUND]))).toBe(false)
    expect([501, 500].map((bytes) => missesPictures(teacher, carvedOf(bytes, [SOUND]), payload))).toEqual([
      true,
      false,
    ])
    expect(missesPictures(teacher, carvedOf(900, [PICTURES]), payload)).toBe(false)
  })

  it('has pictures or sound of which nothing is found, though much is not explained', () => {
    expect(lacksTracks(carvedOf(900, [PICTURES], [SOUND]), payload)).toBe(true)
    expect(lacksTracks(carvedOf(0, [PICTURES], [SOUND]), payload)).toBe(false)
    expect(lacksTracks(carvedOf(900, [PICTURES], [DATA]), payload)).toBe(false)
    expect(lacksTracks(carvedOf(900, [PICTURES, SOUND]), payload)).toBe(false)
  })
})
