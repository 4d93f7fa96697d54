import { describe, expect, it } from 'vitest'
import { commonestRate } from '../../../src/formats/isobmff/ways/sample/picture-rate.ts'
import { clocksHeard } from '../../../src/formats/isobmff/ways/sample/sampling-rate.ts'
import { movieOf } from './support/engine.ts'
import { film, times } from './support/film.ts'
import { fixture } from './support/fixtures.ts'

const [picture, sound] = (await movieOf(fixture('h264-aac.mp4'))).tracks
const samples = Object.assign(Object.create(picture.samples), { duration: picture.samples.duration.slice() })
samples.duration[3] *= 2
const unsteady = { ...picture, samples }

/** What clocks are heard of pictures at `shown` of a rate beside so many Hz, where the sample's sound is 48 kHz. */
function heard(shown: readonly number[], rate: number, hertz: number, sample = unsteady) {
  const found = film(shown, rate, hertz)
  const [pictures, sounds] = [found.picture, found.sound].map((table) => ({ table, bytes: 1, gaps: [] }))
  return clocksHeard({ tracks: [sound], pictures, sounds }, sample)
}

describe('the clocks of a film beside a sample of variable rate at 48 kHz', () => {
  const even = Array.from({ length: 90 }, (_, at) => at)

  it('are the sample’s where pictures were left out, however many', () => {
    expect(heard(times(90), 30, 48_000)).toEqual({ strange: false })
  })

  it('are told by pictures that were left out of a constant rate', () => {
    expect(heard(times(90), 30, 44_100)).toEqual({ sound: 44_100, strange: true })
    expect(heard(times(90), 25, 44_100, picture)).toEqual({ sound: 44_100, leftOut: true, strange: true })
  })

  it('are told by pictures of a constant rate, though not for certain', () => {
    expect(heard(even, 30, 48_000)).toEqual({ strange: false })
    expect(heard(even, 30, 44_100)).toEqual({ sound: 44_100, strange: true, guessed: true })
  })

  it('are the sample’s where its own pictures come at times as often', () => {
    const samples = Object.assign(Object.create(picture.samples), {
      duration: picture.samples.duration.map((ticks, row) => (row % 2 ? ticks : ticks * 0.75)),
    })
    // 26.1 a second beside 48 kHz, as the sample’s 25 to 33, would be 24 beside 44.1 kHz
    expect(heard(even, 24, 44_100, { ...picture, samples })).toEqual({ strange: false })
  })

  it('are strange beside a sample of constant rate where pictures come at none, whatever their mean', () => {
    const wandering = even.map((at) => at + 6 * Math.sin(at / 7))
    expect(heard(wandering, 25, 48_000, picture)).toEqual({ strange: true })
    expect(heard(even, 25, 48_000, picture)).toMatchObject({ strange: false })
  })
})

it('sound that lasts unevenly tells nothing of pictures', () => {
  const samples = Object.assign(Object.create(sound.samples), { duration: sound.samples.duration.slice() })
  for (let row = 0; row < samples.length; row += 3) samples.duration[row] = 1100
  const shown = film(
    Array.from({ length: 90 }, (_, at) => at),
    30,
    48_000,
  )
  const [pictures, sounds] = [shown.picture, shown.sound].map((table) => ({ table, bytes: 1, gaps: [] }))
  expect(clocksHeard({ tracks: [{ ...sound, samples }], pictures, sounds }, picture)).toEqual({
    strange: false,
  })
})

it('the rate of which pictures are left out is that of the commonest time between them', () => {
  expect(commonestRate(unsteady)).toBe(25)
  expect(commonestRate(picture)).toBe(25)
})
