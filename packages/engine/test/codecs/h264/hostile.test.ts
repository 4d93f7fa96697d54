import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { h264 } from '../../../src/codecs/h264/index.ts'
import { parsePps } from '../../../src/codecs/h264/pps.ts'
import { parseSps } from '../../../src/codecs/h264/sps.ts'
import { survivesHostileBytes } from '../../../testing/video/hostile-laws.ts'

survivesHostileBytes(h264, ['h264-b-pyramid', 'h264-slices-8', 'h264-interlaced'], 'length')
survivesHostileBytes(h264, ['h264-start-codes'], 'startcode')

describe('H.264 parameter sets', () => {
  it('parse or are refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0x67, 0x68), (bytes, header) => {
        const nal = Uint8Array.of(header, ...bytes)
        const sps = parseSps(nal)
        expect(sps?.width ?? 1).toBeGreaterThan(0)
        const pps = parsePps(nal)
        expect(pps?.id ?? 0).toBeLessThan(256)
        parseAvcC(bytes)
      }),
    )
  })
})
