import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { agree, tally } from '../../../src/recording/deduce/clock.ts'

const PAL = { num: 25, den: 1 }
const MP3 = 1152

describe('clocks of pictures and sound', () => {
  it('are the bitstream’s where no rounds were counted: one track may be longer than the other', () => {
    const counted = { pictures: 35, sounds: 12, level: false }
    expect(agree(counted, PAL, [44_100], MP3)).toMatchObject({ picture: PAL, by: 'bitstream' })
  })

  it('are the sound’s where the counts of many rounds contradict the bitstream', () => {
    const counted = { pictures: 400, sounds: (400 / 15) * (48_000 / 1024), level: true }
    expect(agree(counted, PAL, [48_000], 1024)).toMatchObject({ picture: { num: 15, den: 1 }, by: 'sound' })
  })

  it('are not told by the counts of a recording that breaks off within its only round', () => {
    // a second of sound at 44.1 kHz, then 17 of 25 pictures: as many as half of them would be with 32 kHz
    const counted = { pictures: 17, sounds: 45, level: false }
    const rates = [44_100, 48_000, 32_000]
    const said = { num: 24, den: 1 }
    expect(agree({ ...counted, cut: true }, said, rates, 1024)).toMatchObject({
      ...{ picture: said, sound: 44_100, soundKnown: false },
    })
    expect(agree({ ...counted, cut: true }, undefined, rates, 1024).unsure).toBe(true)
    expect(agree({ pictures: 25, sounds: 45, level: false }, said, rates, 1024)).toMatchObject({
      ...{ picture: said, sound: 44_100, soundKnown: true },
    })
  })

  it('are measured where the rate of the pictures is no usual one', () => {
    const at = (rate: number) => {
      const sounds = (900 / rate) * (48_000 / 1024)
      return { pictures: 900, sounds, level: true, error: 0.0001 }
    }
    expect(agree(at(17.3), undefined, [48_000], 1024)).toMatchObject({ unsure: true, soundKnown: false })
    expect(agree(at(30), undefined, [48_000], 1024).unsure).toBeUndefined()
  })

  it('are not sure where another rate would fit and show pictures at other times', () => {
    const at = (pictures: number, error: number) => {
      const sounds = (pictures / 24) * (48_000 / 1024)
      return agree({ pictures, sounds, level: true, error }, undefined, [48_000], 1024)
    }
    expect(at(30, 0.05)).toMatchObject({ picture: PAL, unsure: true })
    expect(at(30, 0.002)).toMatchObject({ picture: { num: 24, den: 1 } })
    expect(at(30, 0.002).unsure).toBeUndefined()
    // 24 and 23.976 are half a picture apart after 500
    expect(at(900, 0.002).unsure).toBe(true)
  })
})

it('rates that go together are sure where they are as near as the count is exact, and by chance farther off', () => {
  const rates = [44_100, 48_000, 32_000]
  const at = (sounds: number) =>
    agree({ pictures: 200, sounds, level: true, error: 0.01 }, undefined, rates, 1024)
  expect(at(157)).toMatchObject({ picture: { num: 60, den: 1 }, sound: 48_000 })
  expect(at(157).unsure).toBeUndefined()
  // pictures at 50 a second, a fifth of them left out, beside sound at 32 kHz
  expect(at(157.9)).toMatchObject({ picture: { num: 60, den: 1 }, sound: 48_000, unsure: true })
})

/** Pictures and sound as a multiplexer writes them that takes whichever is behind. */
function interleaved(pictures: number, rate: number, unit: number): readonly [SampleTable, SampleTable] {
  const tables = [new SampleTable(), new SampleTable()] as const
  for (let picture = 0, sound = 0, at = 0; picture < pictures; at++) {
    if (sound * unit < picture / rate) tables[1].push(at, 1, 1, 1, sound++, 0)
    else tables[0].push(at, 1, 1, 1, picture++, 0)
  }
  return tables
}

it('a second of pictures between packets of sound tells rates apart that differ by a twentieth', () => {
  for (const [num, den] of [
    [24_000, 1001],
    [25, 1],
  ]) {
    const [picture, sound] = interleaved(30, num / den, 0.032)
    const found = agree(tally(picture, sound, []), undefined, [48_000], 1536)
    expect((found.picture?.num ?? 0) / (found.picture?.den ?? 1)).toBeCloseTo(num / den, 0)
    expect(found.unsure).toBeUndefined()
  }
})

it('a rate that the bitstream says stands against a count from which damage took sound', () => {
  const said = { num: 30_000, den: 1001 }
  const counted = { pictures: 90, sounds: 44, level: true, error: 0.01 }
  expect(agree({ ...counted, holed: true }, said, [16_000], 1024)).toMatchObject({
    picture: said,
    unsure: true,
  })
  expect(agree(counted, said, [16_000], 1024).picture).not.toEqual(said)
})
