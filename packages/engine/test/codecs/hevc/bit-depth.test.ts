import { describe, expect, it } from 'vitest'
import { BIT_DEPTHS, toldDepth } from '../../../src/codecs/hevc/bit-depth.ts'
import { parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { parseSps } from '../../../src/codecs/hevc/sps.ts'
import { withDepth } from '../../../src/codecs/hevc/write-sets.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

/** What the key pictures of a stream say when they are taken to be of some depth. */
function told(name: string, taken: 8 | 10, bytes = streamFixture(name).bytes) {
  const { packets, config } = streamFixture(name)
  const sets = parseHvcC(config)
  const sps = sets && parseSps(withDepth(sets.sps[0], taken))
  const units = packets.filter(({ key }) => key).map(({ offset, size }) => ({ offset, length: size }))
  return sets && sps && toldDepth(readerOf(bytes), units, { ...sets, sps: [sps] })
}

describe('the bit depth of HEVC pictures', () => {
  it.each(
    BIT_DEPTHS.flatMap((taken) =>
      (
        [
          ['hevc-p', 8],
          ['hevc-b-pyramid', 8],
          ['hevc-temporal-layers', 8],
          ['hevc-10-bit', 10],
        ] as const
      ).map(([name, depth]) => ({ name, depth, taken })),
    ),
  )('of $name is told as $depth where they are taken for $taken', ({ name, depth, taken }) => {
    expect(told(name, taken)).toBe(depth)
  })

  it('is not told where the pictures are noise', () => {
    const { bytes } = streamFixture('hevc-10-bit')
    expect(told('hevc-10-bit', 8, noise(bytes.length))).toBeUndefined()
  })
})
