import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { hevc } from '../../../src/codecs/hevc/index.ts'
import { parsePps } from '../../../src/codecs/hevc/pps.ts'
import { parseSps } from '../../../src/codecs/hevc/sps.ts'
import { survivesHostileBytes } from '../../../testing/video/hostile-laws.ts'

survivesHostileBytes(hevc, ['hevc-b-pyramid', 'hevc-slices', 'hevc-repeated-headers'], 'length')
survivesHostileBytes(hevc, ['hevc-start-codes'], 'startcode')

describe('HEVC parameter sets', () => {
  it('parse or are refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0x42, 0x44), (bytes, header) => {
        const nal = Uint8Array.of(header, 1, ...bytes)
        const sps = parseSps(nal)
        expect(sps?.width ?? 1).toBeGreaterThan(0)
        const pps = parsePps(nal)
        expect(pps?.id ?? 0).toBeLessThan(64)
        parseHvcC(bytes)
      }),
    )
  })
})
