import { expect, it } from 'vitest'
import { mendStrangeOffsets } from '../../../../src/formats/isobmff/mend/times/strange-offsets.ts'

/** Two pictures between references that are shown before the second of them, ten times: ticks by which each is shown late. */
const OFFSETS = Float64Array.from({ length: 30 }, (_, i) => [4, 1, 1][i % 3] * 512)

/** Index of the time at which a picture is shown, all 512 ticks late besides. */
const slotOf = (sample: number, offset: number): number => {
  const slot = sample + offset / 512 - 1
  return Number.isInteger(slot) && slot >= 0 && slot < OFFSETS.length ? slot : -1
}

it('offsets that hardly any picture has are usual ones again, together', () => {
  const hit = OFFSETS.slice()
  // at no time there is, and at the time of another
  hit[4] += 1 << 27
  hit[8] += 1 << 18
  hit[12] += 1024
  hit[20] += 1 << 15
  expect(mendStrangeOffsets(hit, slotOf)).toBe(4)
  expect([...hit]).toEqual([...OFFSETS])
})

it('offsets of their own stay where no other picture is shown at their times', () => {
  const own = OFFSETS.slice()
  own[13] = 2 * 512
  own[14] = 0
  expect(mendStrangeOffsets(own, slotOf)).toBe(0)
})
