import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packBits, unpackBits } from '../../../src/codecs/packbits/packbits.ts'

test('rows packed as literals come back as they were', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.integer({ min: 1, max: 300 }), (bytes, row) => {
      expect(unpackBits(packBits(bytes, row), bytes.length)).toEqual({ bytes, whole: true })
    }),
  )
})

test('the standard’s example comes out as it went in', () => {
  // TIFF 6.0 §9, as Apple's technical note 1023 has it
  const packed = Uint8Array.of(
    ...[0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0xfd, 0xaa],
    ...[0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7, 0xaa],
  )
  const plain = [
    ...[0xaa, 0xaa, 0xaa, 0x80, 0x00, 0x2a, 0xaa, 0xaa, 0xaa, 0xaa],
    ...[0x80, 0x00, 0x2a, 0x22, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa],
  ]
  expect([...unpackBits(packed, plain.length).bytes]).toEqual(plain)
  expect(unpackBits(packed.subarray(0, 9), plain.length).whole).toBe(false)
})
