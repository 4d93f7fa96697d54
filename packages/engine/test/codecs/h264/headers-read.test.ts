import { describe, expect, it } from 'vitest'
import { looseSlices } from '../../../src/codecs/h264/loose-slices.ts'
import { headersContradict, headersReadAs } from '../../../src/codecs/h264/prove-sets.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { configOf } from './intra-slices.ts'

const INTERLACED = 'h264-interlaced'

function read(stream: Uint8Array, setsOf: string): boolean {
  const reader = readerOf(stream)
  const slices = looseSlices(reader, 0, stream.length, 120)
  expect(slices.length).toBeGreaterThanOrEqual(8)
  return headersReadAs(reader, slices, configOf(streamFixture(setsOf)))
}

describe('the headers of slices', () => {
  it('read with the sets of their own interlaced stream', () => {
    expect(configOf(streamFixture(INTERLACED)).sps[0].frameMbsOnly).toBe(false)
    expect(read(streamFixture(INTERLACED).bytes, INTERLACED)).toBe(true)
  })

  it.each(['h264-b-pyramid', 'h264-b-adaptive', 'h264-open-gop', 'h264-baseline'])(
    'of %s do not read with those of an interlaced one',
    (name) => {
      expect(read(streamFixture(name).bytes, INTERLACED)).toBe(false)
    },
  )

  it('of an interlaced stream do not read with the sets of another', () => {
    expect(read(streamFixture(INTERLACED).bytes, 'h264-b-pyramid')).toBe(false)
  })

  it('tell nothing where no slices are', () => {
    const reader = readerOf(noise(4096))
    expect(headersReadAs(reader, [], configOf(streamFixture(INTERLACED)))).toBe(false)
  })
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
