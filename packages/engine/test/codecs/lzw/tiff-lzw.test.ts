import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packLzw, unpackLzw } from '../../../src/codecs/lzw/tiff-lzw.ts'

test('bytes packed as LZW come back as they were', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
      const { bytes: back, whole } = unpackLzw(packLzw(bytes), bytes.length)
      expect(whole).toBe(true)
      expect(back).toEqual(bytes)
    }),
  )
})

test('the stream of the standard’s example comes out as it went in', () => {
  // TIFF 6.0 §13: 7 7 7 8 8 7 7 6 6 as codes 256 7 258 8 8 258 6 6 257 of nine bits
  const packed = packCodes([256, 7, 258, 8, 8, 258, 6, 6, 257])
  expect([...unpackLzw(packed, 9).bytes]).toEqual([7, 7, 7, 8, 8, 7, 7, 6, 6])
})

test('what comes before a code that cannot be is kept, and the stream is not whole', () => {
  const { bytes, whole } = unpackLzw(packCodes([256, 7, 8, 400, 9]), 9)
  expect([...bytes]).toEqual([7, 8])
  expect(whole).toBe(false)
})

test('a stream that ends too early is not whole', () => {
  const packed = packLzw(new Uint8Array(100).fill(5))
  const { bytes, whole } = unpackLzw(packed.subarray(0, 40), 100)
  expect(whole).toBe(false)
  expect(bytes.length).toBeGreaterThan(20)
  expect(bytes.every((byte) => byte === 5)).toBe(true)
})

function packCodes(codes: readonly number[]): Uint8Array {
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}
