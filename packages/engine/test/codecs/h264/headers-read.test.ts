import { describe, expect, it } from 'vitest'
import { looseSlices } from '../../../src/codecs/h264/loose-slices.ts'
import { headersReadAs } from '../../../src/codecs/h264/prove-sets.ts'
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
