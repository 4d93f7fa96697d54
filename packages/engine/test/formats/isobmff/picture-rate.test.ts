import { describe, expect, it } from 'vitest'
import type { Region } from '../../../src/bytes/regions.ts'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import {
  allows,
  atRate,
  commonestRate,
  constantRate,
  meanUnit,
  retimed,
  unitOf,
} from '../../../src/formats/isobmff/ways/sample/picture-rate.ts'
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

/** A track of 12,000 ticks a second whose samples last so long, each of so many units. */
function lasting(durations: readonly number[], units = 1): MovieTrack {
  const samples = new SampleTable()
  let time = 0
  for (const duration of durations) {
    const row = samples.push(samples.length, 1, units, duration, samples.length, SAMPLE_KEY)
    samples.dts[row] = time
    time += duration
  }
  return { ...film, description: { ...film.description, timescale: 12_000 }, samples }
}

it.each<[readonly number[], number | undefined, number | undefined]>([
  [[400, 400, 400, 400], 30, 30],
  [[400, 401, 399, 400, 9], 30, 30],
  [[400, 402, 400, 400, 400], undefined, 30],
  [[400, 400, 400, 402, 800], undefined, 30],
  [[500, 400, 400, 800, 400], undefined, 30],
  [[0, 0, 0], undefined, undefined],
  [[400], undefined, undefined],
])('pictures that last %j ticks come at %s a second, mostly at %s', (durations, constant, commonest) => {
  const track = lasting(durations)
  expect([constantRate(track), commonestRate(track)]).toEqual([constant, commonest])
})

it('units are as long as those of the second sample, or the only one', () => {
  expect([[], [300], [300, 600, 9]].map((durations) => unitOf(lasting(durations, 2)))).toEqual([
    1024, 150, 300,
  ])
  expect(meanUnit(lasting([300, 500, 9]).samples)).toBe(400)
  const { samples } = lasting([300, 500])
  samples.cts[1] = 7
  const later = retimed(samples, 1.5, 40)
  expect([...later.dts.subarray(0, 2)]).toEqual([40, 490])
  expect([...later.duration.subarray(0, 2), later.cts[1], later.order[1]]).toEqual([450, 750, 11, 1])
})

it.each<[number, object, boolean]>([
  [25, {}, true],
  [25.37, {}, true],
  [25.39, {}, false],
  [24.64, {}, true],
  [26.2, { holed: true }, true],
  [26.4, { holed: true }, false],
  [27.4, { error: 0.1 }, true],
  [27.8, { error: 0.1 }, false],
])(
  '%d pictures a second with sound of two hundred seconds, %j, may be those of a film of 25: %s',
  (rate, more, may) => {
    const counted = { pictures: 200 * rate, sounds: 200 * 50, level: true, error: 0, ...more }
    expect(allows(counted, 1 / 50, lasting(Array(9).fill(480)))).toBe(may)
  },
)

it('few pictures or sounds may be off by two, and any beside pictures of a variable rate', () => {
  const few = (pictures: number, sounds: number) =>
    allows({ pictures, sounds, level: true, error: 0 }, 1 / 50, lasting(Array(9).fill(480)))
  expect([few(11, 20), few(13, 20), few(20, 43), few(20, 48)]).toEqual([true, false, true, false])
  expect(allows({ pictures: 1, sounds: 99, level: true }, 1 / 50, lasting([1, 9, 400, 7]))).toBe(true)
})

describe('a sample at another rate', () => {
  const picture = { ...lasting(Array(9).fill(480)), edits: [{ duration: 9, mediaTime: -1, rate: 1 }] }
  const sample = {
    reader: readerOf(new Uint8Array(0)),
    movie,
    tracks: [picture, speech],
    origin: 'sample' as const,
  }
  const changed = (num: number, theirs?: number) => {
    const findings = new Findings(8)
    const own = atRate(sample, picture, { findings }, { num, den: 1000 }, theirs)
    return { own, said: findings.list.map(({ message }) => message).join() }
  }

  it('is itself where that is as good as its own', () => {
    expect([changed(25_300).own, changed(24_700).own]).toEqual([sample, sample])
    expect(atRate(sample, picture, { findings: new Findings(8) }, undefined)).toBe(sample)
    const uneven = lasting([1, 9, 400, 7])
    expect(atRate(sample, uneven, { findings: new Findings(8) }, { num: 30, den: 1 })).toBe(sample)
  })

  it('has pictures of other lengths and all else as it was; many times its rate is an assumption', () => {
    const { own, said } = changed(29_970)
    expect(own.tracks[0].samples.duration[0]).toBeCloseTo((480 * 25) / 29.97, 0)
    expect([own.tracks[1], own.tracks[0].edits, own.assumed]).toEqual([speech, picture.edits, undefined])
    expect(own.asRecorded).toEqual({ id: picture.description.id, table: picture.samples })
    expect(said).toContain('25 a second in the sample, 29.97 in the file')
    expect([50_000, 12_500, 75_500, 72_000, 31_000].map((num) => changed(num).own.assumed ?? false)).toEqual([
      ...[true, true, true, false, false],
    ])
    expect(changed(25_000, 50).said).toContain('50 a second in the sample, 25 in the file')
  })
})
