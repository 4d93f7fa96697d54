import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import type { Movie } from '../../../../src/formats/isobmff/read/movie.ts'
import { makeProfile } from '../../../../src/formats/isobmff/ways/make-profile.ts'
import { draftMovie } from '../../../../src/formats/isobmff/write/draft-movie.ts'
import { ISO_DRAFTS } from '../../../../src/formats/isobmff/write/iso-drafts.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'
import type { CameraProfile } from '../../../../src/recording/cameras/camera-profile.ts'
import { movieOf, readerOf } from '../support/engine.ts'
import { type FixtureName, fixture } from '../support/fixtures.ts'

const NAMES: readonly FixtureName[] = ['h264-aac.mp4', 'h264-pcm.mov', 'h264-two-aac.mov', 'hevc-aac.mp4']

function profiled(bytes: Uint8Array, movie: Movie): CameraProfile {
  const profile = makeProfile(readerOf(bytes), movie, 'a camera', DEFAULT_LIMITS)
  if (!profile) throw new Error('no profile is made')
  return profile
}

const box = (type: string): Uint8Array => new Uint8Array(Buffer.from(`\0\0\0\x0c${type}abcd`, 'latin1'))

describe('the profile of a camera', () => {
  it.each(NAMES)('describes the tracks of %s as they are', async (name) => {
    const bytes = fixture(name)
    const movie = await movieOf(bytes)
    const profile = profiled(bytes, movie)
    const described = draftMovie(ISO_DRAFTS.fromProfile(profile))?.movie
    expect(profile.name).toBe('a camera')
    expect(described?.fileType).toEqual(movie.fileType)
    expect(described?.header.timescale).toBe(movie.header.timescale)
    expect(described?.tracks).toHaveLength(movie.tracks.length)
    for (const [i, track] of movie.tracks.entries()) {
      const own = described?.tracks[i]
      expect(own?.description).toEqual(track.description)
      expect(own?.header.id).toBe(track.header.id)
      expect([own?.handlerType, own?.handler, own?.information]).toEqual([
        ...[track.handlerType, track.handler, track.information],
      ])
      // where media start, not how long they are shown
      const shown = track.edits?.map((edit) => (edit.mediaTime >= 0 ? { ...edit, duration: 0 } : edit))
      expect(own?.edits).toEqual(shown)
    }
  })

  it('says of each track what people read', async () => {
    const about = async (name: FixtureName) =>
      profiled(fixture(name), await movieOf(fixture(name))).tracks.map(
        ({ about, width, height, constantBytes = 0 }) => [about, width, height, constantBytes].join(' '),
      )
    expect(await about('h264-pcm.mov')).toMatchInlineSnapshot(`
      [
        "h264, 128x72 128 72 0",
        "pcm, 8000 Hz, 1 channels 0 0 2",
      ]
    `)
    expect(await about('h264-aac.mp4')).toMatchInlineSnapshot(`
      [
        "h264, 128x72 128 72 0",
        "aac, 48000 Hz, 2 channels 0 0 0",
      ]
    `)
  })

  it('keeps no box that may say who, where and when, and nothing of where samples lie', async () => {
    const bytes = fixture('h264-aac.mp4')
    const movie = await movieOf(bytes)
    const [pictures, ...others] = movie.tracks
    const boxes = ['udta', 'tapt', 'meta', 'tref', 'uuid'].map(box)
    const information = [...pictures.information, box('dinf')]
    const tracks = [{ ...pictures, trackBoxes: boxes, information }, ...others]
    const [track] = profiled(bytes, { ...movie, boxes, tracks }).tracks
    const hex = (...bytes: readonly Uint8Array[]) => bytes.map((each) => Buffer.from(each).toString('hex'))
    expect(track.isobmff.trackBoxes).toEqual(hex(box('tapt'), box('tref')))
    expect(track.isobmff.information).toEqual(hex(...pictures.information))
  })

  it('knows the letters that a camera begins its media with', async () => {
    const bytes = fixture('h264-aac.mp4')
    const movie = await movieOf(bytes)
    const first = Math.min(...movie.tracks.map(({ samples }) => samples.offset[0]))
    const marksOf = (letters: string): readonly string[] => {
      bytes.set(Buffer.from(letters, 'latin1'), first)
      return profiled(bytes, movie).marks
    }
    expect([marksOf('AZXY'), marksOf('AZX@'), marksOf('[ABC')]).toEqual([['415a5859'], [], []])
  })

  it('has numbers without digits that mean nothing', async () => {
    const profile = profiled(fixture('h264-aac.mp4'), await movieOf(fixture('h264-aac.mp4')))
    const { lead, spread } = profile.layout
    for (const value of [...lead, ...spread].filter((each) => typeof each === 'number'))
      expect(value).toBe(Math.round(value * 100) / 100)
    for (const { habits } of profile.tracks)
      for (const value of Object.values(habits).filter((each) => typeof each === 'number'))
        expect(value).toBe(Math.round(value * 1000) / 1000)
    expect(profile.layout.patterns.length).toBeLessThanOrEqual(24)
  })

  it('is none of a movie without samples', async () => {
    const movie = await movieOf(fixture('h264-aac.mp4'))
    const tracks = movie.tracks.map((track) => ({ ...track, samples: new SampleTable() }))
    const reader = readerOf(fixture('h264-aac.mp4'))
    expect(makeProfile(reader, { ...movie, tracks }, 'a camera', DEFAULT_LIMITS)).toBeUndefined()
  })
})
