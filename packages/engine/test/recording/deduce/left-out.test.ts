import { describe, expect, it } from 'vitest'
import { SAMPLE_AFTER_HOLE, SampleTable } from '../../../src/model/sample-table.ts'
import { COMMON_RATES, tally } from '../../../src/recording/deduce/clock.ts'
import { gridOf, stepsOf } from '../../../src/recording/deduce/left-out.ts'
import { film, times, UNIT } from '../../formats/isobmff/support/film.ts'

const RATES = [48_000, 44_100, 32_000]

describe('pictures of a constant rate of which some were left out', () => {
  it.each([
    [30, 48_000],
    [30, 44_100],
    [25, 48_000],
    [24, 44_100],
  ])('come at %d a second beside sound of %d Hz, and when is told', (rate, hertz) => {
    const shown = times(90)
    const { picture, sound } = film(shown, rate, hertz)
    expect(tally(picture, sound, []).pace).toBe('uneven')
    const steps = stepsOf(picture, sound, COMMON_RATES, RATES, UNIT)
    expect(steps).toMatchObject({ rate: { num: rate, den: 1 }, sound: hertz })
    expect([...(steps?.at ?? [])]).toEqual(shown.map((time) => time - shown[0]))
  })

  it('are told on both sides of a hole, which lasts as long as the sound in it', () => {
    const shown = times(120)
    const { picture, sound } = film(shown, 30, 48_000)
    const lost = [40, 41, 42, 43]
    const rest = new SampleTable()
    for (let row = 0; row < picture.length; row++)
      if (!lost.includes(row))
        rest.push(picture.offset[row], 1, 1, 1, row, row === 44 ? SAMPLE_AFTER_HOLE : 0)
    const steps = stepsOf(rest, sound, COMMON_RATES, RATES, UNIT)
    const left = shown.filter((_, row) => !lost.includes(row))
    expect([...(steps?.at ?? [])]).toEqual(left.map((time) => time - shown[0]))
  })

  it('are none where the rate is constant, where they are few, or shown in another order', () => {
    const even = film([...Array(90).keys()], 30, 48_000)
    expect(tally(even.picture, even.sound, []).pace).toBe('even')
    const few = film(times(20), 30, 48_000)
    expect(stepsOf(few.picture, few.sound, COMMON_RATES, RATES, UNIT)).toBeUndefined()
    const { picture, sound } = film(times(90), 30, 48_000)
    picture.cts[5] = 2
    expect(stepsOf(picture, sound, COMMON_RATES, RATES, UNIT)).toBeUndefined()
  })

  it.each([40, 90])(
    'are none where sound and pictures come in even runs, as those of %d do at any rate',
    (runs) => {
      const picture = new SampleTable()
      const sound = new SampleTable()
      let offset = 0
      for (let run = 0; run < runs; run++) {
        for (let i = 0; i < 22; i++) sound.push(offset++, 1, 1, UNIT, 0, 0)
        for (let i = 0; i < 4; i++) picture.push(offset++, 1, 1, 1, 0, 0)
      }
      for (let row = 0; row < sound.length; row++) sound.dts[row] = row * UNIT
      expect(gridOf(picture, sound, COMMON_RATES, RATES, UNIT)).toBeUndefined()
    },
  )

  it('are none where sound comes by the half second, in runs of 21 and 22 packets, and pictures at another rate between', () => {
    const picture = new SampleTable()
    const sound = new SampleTable()
    for (let run = 1, offset = 0; run <= 38; run++) {
      for (; (sound.length * UNIT) / 44_100 < run / 2; offset++)
        sound.dts[sound.push(offset, 1, 1, UNIT, 0, 0)] = sound.length * UNIT - UNIT
      for (let i = 0; i < (run < 8 ? 10 : 12); i++) picture.push(offset++, 1, 1, 1, 0, 0)
    }
    expect(gridOf(picture, sound, COMMON_RATES, RATES, UNIT)).toBeUndefined()
  })

  it('are not told by sound that comes by the half second', () => {
    const { picture, sound } = film(times(90), 30, 48_000)
    for (let row = 0; row < sound.length; row++) sound.offset[row] -= sound.offset[row] % 60
    expect(stepsOf(picture, sound, COMMON_RATES, RATES, UNIT)).toBeUndefined()
  })
})
