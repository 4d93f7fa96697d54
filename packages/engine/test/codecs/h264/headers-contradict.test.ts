import { describe, expect, it } from 'vitest'
import { looseSlices } from '../../../src/codecs/h264/loose-slices.ts'
import { headersContradict } from '../../../src/codecs/h264/prove-sets.ts'
import { readerOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { configOf } from './intra-slices.ts'

it('slices inside others are left out', () => {
  const one = [0, 0, 0x0b, 0xb8, 0x65, 0x88, 0x80]
  const inside = [0, 0, 4, 1, 0x65, 0x88, 0x80]
  const bytes = new Uint8Array(4 + 0xbb8).fill(0x55)
  bytes.set(one)
  bytes.set(inside, 500)
  const found = (from: number) =>
    looseSlices(readerOf(bytes), from, bytes.length, 9).map(({ offset }) => offset)
  expect(found(0)).toEqual([4])
  expect(found(1)).toEqual([504])
})

describe('the headers of slices that refer to other pictures', () => {
  const name = 'h264-b-pyramid'
  const { bytes } = streamFixture(name)
  const { sps, pps } = configOf(streamFixture(name))
  const slices = looseSlices(readerOf(bytes), 0, bytes.length, 120)

  it('do not contradict their own sets', () => {
    expect(headersContradict(readerOf(bytes), slices, configOf(streamFixture(name)))).toBe(false)
  })

  it('contradict sets that weigh more references than they have', () => {
    const others = {
      sps,
      pps: [{ ...pps[0], weightedPred: true, weightedBipred: 1, refIdxL0: 7, refIdxL1: 7 }],
    }
    expect(headersContradict(readerOf(bytes), slices, { ...configOf(streamFixture(name)), ...others })).toBe(
      true,
    )
  })

  it('say nothing where there are few, or without arithmetic coding', () => {
    const sets = configOf(streamFixture('h264-interlaced'))
    expect(headersContradict(readerOf(bytes), slices.slice(0, 4), sets)).toBe(false)
    expect(headersContradict(readerOf(bytes), slices, configOf(streamFixture('h264-baseline')))).toBe(false)
  })
})
