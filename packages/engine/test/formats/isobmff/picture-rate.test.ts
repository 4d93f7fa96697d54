import { describe, expect, it } from 'vitest'
import type { Region } from '../../../src/bytes/regions.ts'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { atRate } from '../../../src/formats/isobmff/ways/sample/picture-rate.ts'
import { clocksHeard, type OwnClocks } from '../../../src/formats/isobmff/ways/sample/sampling-rate.ts'
import { Findings } from '../../../src/model/finding.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { movieOf, readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const movie = await movieOf(fixture('h264-aac.mp4'))
const [film, speech] = movie.tracks
const BYTES = 1000

/** A track's samples at so many a second, the first shown `late` units after it is decoded. */
function at(track: MovieTrack, rate: number, late = 0): MovieTrack {
  const samples = new SampleTable()
  const unit = 12_000 / rate
  for (let row = 0; row < 10; row++) {
    samples.push(row * BYTES, BYTES, 1, unit, row, SAMPLE_KEY)
    samples.dts[row] = row * unit
    samples.cts[row] = late * unit
  }
  const edits = [{ duration: 1000, mediaTime: late * unit, rate: 0x10000 }]
  return { ...track, description: { ...track.description, timescale: 12_000 }, samples, edits }
}

/** What is found of so many pictures a second and the sound with them, without the bytes of `lost` sounds from second 2 on. */
function heard(seconds: number, rate: number, sounds: number, lost = 0) {
  const pictures = new SampleTable()
  const sound = new SampleTable()
  const gaps: Region[] = []
  let offset = 0
  for (let picture = 0; picture < seconds * rate; picture++) {
    pictures.push(offset, BYTES, 1, 1, picture, SAMPLE_KEY)
    offset += BYTES
    for (; sound.length + gaps.length < ((picture + 1) / rate) * sounds; offset += BYTES) {
      if (picture / rate >= 2 && gaps.length < lost) gaps.push({ offset, length: BYTES })
      else sound.push(offset, BYTES, 1, 1, 0, SAMPLE_KEY)
    }
  }
  return {
    pictures: { table: pictures, bytes: 0, gaps: [] },
    sounds: { table: sound, bytes: 0, gaps },
  }
}

function told(of: ReturnType<typeof heard>, sample: number, tracks = 1): OwnClocks {
  const sound = { ...speech, samples: at(speech, 46.875).samples }
  sound.description = { ...speech.description, timescale: 12_000 }
  return clocksHeard({ ...of, tracks: Array.from({ length: tracks }, () => sound) }, at(film, sample))
}

describe('the rate of pictures by the sound that comes with them', () => {
  it('is told where it is as near to the sample’s as 24 to 25, if much was counted', () => {
    expect(told(heard(8, 25, 46.875), 24).picture).toEqual({ num: 25, den: 1 })
    expect(told(heard(8, 24, 46.875), 25).picture).toEqual({ num: 24, den: 1 })
    expect(told(heard(8, 25, 46.875), 25)).toEqual({ strange: false })
    expect(told(heard(1, 25, 46.875), 24)).toEqual({ strange: false })
  })

  it('is not mistaken for another where damage took some of the sound', () => {
    expect(told(heard(8, 25, 46.875, 12), 25)).toEqual({ strange: false })
    expect(told(heard(8, 25, 46.875, 12), 24).picture).toEqual({ num: 25, den: 1 })
  })

  it('is told beside several tracks of sound', () => {
    expect(told(heard(8, 60, 93.75), 30, 2).picture).toEqual({ num: 60, den: 1 })
  })

  it('is strange where one of two tracks of sound has another rate than the sample’s', () => {
    expect(told(heard(8, 30, 46.875 + 43.066), 30, 2)).toEqual({ strange: true })
  })
})

it('pictures that go apart from their sound and together again are left out of a constant rate, not of another one', () => {
  const uneven = heard(8, 25, 46.875)
  // half of the pictures of every other second are missing
  const table = new SampleTable()
  for (let row = 0; row < uneven.pictures.table.length; row++)
    if (Math.floor(row / 25) % 2 === 0 || row % 2 === 0)
      table.push(uneven.pictures.table.offset[row], BYTES, 1, 1, row, SAMPLE_KEY)
  const film = { ...uneven, pictures: { ...uneven.pictures, table } }
  expect(told(film, 25)).toEqual({ leftOut: true, strange: false })
  expect(told(film, 30)).toEqual({ picture: { num: 25, den: 1 }, leftOut: true, strange: false })
})

it('a sample at another rate shows its first picture as it did', () => {
  const picture = at(film, 24, 2)
  const sample = { reader: readerOf(new Uint8Array(0)), movie, tracks: [picture], origin: 'sample' as const }
  const assessment = { findings: new Findings(8) }
  const [own] = atRate(sample, picture, assessment, { num: 25, den: 1 }).tracks
  expect(own.samples.cts[0]).toBe(960)
  expect(own.edits?.[0]?.mediaTime).toBe(960)
})
