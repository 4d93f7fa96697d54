import { expect, it } from 'vitest'
import { PictureOrder } from '../../../src/codecs/hevc/picture-order.ts'
import type { SliceHeader } from '../../../src/codecs/hevc/slice-header.ts'

const TRAIL_R = 1
const CRA = 21

/** A picture of a stream whose numbers repeat after 256. */
function picture(nalType: number, pocLsb: number): SliceHeader {
  return { nalType, pocLsb, temporalId: 0, sps: { log2MaxPocLsb: 8 } } as SliceHeader
}

it('numbers go on over a clean random access picture behind pictures whose beginning is lost', () => {
  const order = new PictureOrder()
  expect([250, 254].map((lsb) => order.next(picture(TRAIL_R, lsb)))).toEqual([250, 254])
  expect(order.begins(picture(CRA, 4))).toBe(false)
  expect(order.next(picture(CRA, 4))).toBe(260)
  // the first one that a decoder sees, all the same
  expect(order.raslSkipped).toBe(true)
  expect(order.begins(picture(CRA, 30))).toBe(false)
})

it('numbers begin anew with the first picture of a stream and behind an end of sequence', () => {
  const order = new PictureOrder()
  expect(order.begins(picture(CRA, 250))).toBe(true)
  expect(order.next(picture(CRA, 250))).toBe(250)
  expect(order.next(picture(TRAIL_R, 2))).toBe(258)
  order.endSequence()
  expect(order.begins(picture(CRA, 4))).toBe(true)
  expect(order.next(picture(CRA, 4))).toBe(4)
})
