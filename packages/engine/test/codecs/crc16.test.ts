import { expect, it } from 'vitest'
import { crc16 } from '../../src/codecs/crc16.ts'
import { noise } from '../../testing/hostile-sources.ts'

/** The remainder bit by bit, as the standards define it. */
function slow(bytes: Uint8Array, initial: number): number {
  let crc = initial
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0)) & 0xffff
  }
  return crc
}

it('is the remainder of the bits, whatever the length and the start', () => {
  const bytes = noise(300, 4)
  for (let length = 0; length < 40; length++)
    for (const initial of [0, 0xffff, 0x1234])
      expect(crc16(bytes, length, length * 3, initial)).toBe(
        slow(bytes.subarray(length, length * 3), initial),
      )
})

it('is the check value published for "123456789"', () => {
  const digits = Uint8Array.from('123456789', (digit) => digit.charCodeAt(0))
  expect(crc16(digits, 0, 9, 0)).toBe(0xfee8)
})
