import { describe, expect, it } from 'vitest'
import { looseSlices } from '../../../src/codecs/h264/loose-slices.ts'
import { proveSize, readsAs, vainMacroblocks } from '../../../src/codecs/h264/prove-sets.ts'
import { parseSps } from '../../../src/codecs/h264/sps.ts'
import { resizeSps } from '../../../src/codecs/h264/write-sets.ts'
import { readerOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { configOf } from './intra-slices.ts'

const OTHER = { widthInMbs: 20, heightInMbs: 16, width: 320, height: 240 }
const STREAMS = ['h264-b-pyramid', 'h264-cavlc', 'h264-10-bit', 'h264-slices-2', 'h264-interlaced']

describe.each(STREAMS)('the size of the pictures of %s', (name) => {
  const fixture = streamFixture(name)
  const config = configOf(fixture)
  const [own] = config.sps
  const other = parseSps(resizeSps(own, OTHER)) ?? own
  const reader = readerOf(fixture.bytes)
  const slices = looseSlices(reader, 0, fixture.bytes.length, 120)

  it('is proven by sets that say another', () => {
    expect(other).toMatchObject({ widthInMbs: OTHER.widthInMbs, heightInMbs: OTHER.heightInMbs })
    const found = proveSize(reader, slices, other, config.pps[0], vainMacroblocks(reader))
    expect(found).toMatchObject({ widthInMbs: own.widthInMbs, heightInMbs: own.heightInMbs })
  })

  it('goes with its own sets alone', () => {
    expect(readsAs(reader, slices, config)).toBe(true)
    expect(readsAs(reader, slices, { ...config, sps: [other] })).toBe(false)
  })
})
