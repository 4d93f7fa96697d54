import { describe, expect, it } from 'vitest'
import { parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { parseSps, type Sps } from '../../../src/codecs/hevc/sps.ts'
import { resizeSps, withDepth } from '../../../src/codecs/hevc/write-sets.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const ULTRA_HD = { codedWidth: 3840, codedHeight: 2160, width: 3840, height: 2160 }
const FULL_HD = { codedWidth: 1920, codedHeight: 1088, width: 1920, height: 1080 }

function setOf(name: string): Sps {
  const [sps] = parseHvcC(streamFixture(name).config)?.sps ?? []
  if (!sps) throw new Error(`${name} has no sequence parameter set`)
  return sps
}

describe.each(['hevc-p', 'hevc-b-pyramid', 'hevc-10-bit', 'hevc-temporal-layers'])(
  'the sequence parameter set of %s for another size',
  (name) => {
    const sps = setOf(name)

    it.each([ULTRA_HD, FULL_HD])('says $width by $height and is the same in what codes pictures', (size) => {
      const resized = parseSps(resizeSps(sps, size))
      expect(resized).toMatchObject(size)
      const { codedWidth, codedHeight, width, height, picSizeInCtbs, ...rest } = sps
      const { heldPictures, reorderPictures, profileTierLevel, places, bytes, ...coding } = rest
      expect(resized).toMatchObject(coding)
    })

    it('lets pictures wait for others, whatever its own encoder did', () => {
      const resized = parseSps(resizeSps(sps, ULTRA_HD))
      expect(resized?.reorderPictures).toBeGreaterThanOrEqual(setOf('hevc-b-pyramid').reorderPictures)
      expect(resized?.heldPictures).toBeGreaterThan(resized?.reorderPictures ?? 0)
      expect(resized?.heldPictures).toBeLessThanOrEqual(16)
    })
  },
)

describe('the sequence parameter set for samples of another depth', () => {
  it.each([
    ['hevc-p', 10, 8],
    ['hevc-10-bit', 8, 10],
  ] as const)('of %s says %i bits and is the same in all else', (name, other, own) => {
    const sps = setOf(name)
    const changed = parseSps(withDepth(sps, other))
    const { bitDepthLuma, bitDepthChroma, profileTierLevel, places, bytes, ...rest } = sps
    expect([bitDepthLuma, bitDepthChroma]).toEqual([own, own])
    expect(changed).toMatchObject({ ...rest, bitDepthLuma: other, bitDepthChroma: other })
    expect((changed?.profileTierLevel[0] ?? 0) & 31).toBe(other > 8 ? 2 : 1)
    expect(changed && withDepth(changed, own)).toEqual(bytes)
  })
})
