import { describe, expect, it } from 'vitest'
import { agree } from '../../../../src/formats/isobmff/deduce/clock.ts'

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

  it('are measured where the rate of the pictures is no usual one', () => {
    const at = (rate: number) => ({ pictures: 900, sounds: (900 / rate) * (48_000 / 1024), level: true })
    expect(agree(at(17.3), undefined, [48_000], 1024)).toMatchObject({ measured: true, soundKnown: false })
    expect(agree(at(30), undefined, [48_000], 1024).measured).toBeUndefined()
  })
})
