import { describe, expect, it } from 'vitest'
import { isHitField, lacksField, mendedField } from '../../../src/formats/mpegts/read/adaptation.ts'

/** A packet whose adaptation field of 170 bytes is stuffing up to `whole` bytes of it. */
function packet(whole: number): Uint8Array {
  const bytes = Uint8Array.from({ length: 188 }, (_, i) => (i * 37 + 11) & 0x7f)
  bytes.set([0x47, 0x01, 0x01, 0x3a, 170, 0])
  return bytes.fill(0xff, 6, 5 + whole)
}

describe('an adaptation field', () => {
  it('whose stuffing was overwritten farther on is one', () => {
    expect(lacksField(packet(170), 0)).toBe(false)
    expect(lacksField(packet(30), 0)).toBe(false)
    expect([170, 30].map((whole) => isHitField(packet(whole), 0))).toEqual([false, true])
  })

  it('is one where a bit of its first stuffing was hit', () => {
    const flipped = packet(170)
    flipped[9] ^= 16
    expect(lacksField(flipped, 0)).toBe(false)
    expect(mendedField(flipped, 0)).toEqual(packet(170).slice(4, 175))
  })

  it('that begins with other bytes is none', () => {
    expect(lacksField(packet(3), 0)).toBe(true)
  })

  it('gets flipped stuffing, or a bit of its length, back; not what was overwritten', () => {
    const flipped = packet(170)
    flipped[90] ^= 16
    expect(mendedField(flipped, 0)).toEqual(packet(170).slice(4, 175))
    const longer = packet(42)
    longer[4] = 42 ^ 128
    expect(mendedField(longer, 0)).toEqual(Uint8Array.of(42))
    flipped.set([1, 2], 100)
    expect(mendedField(flipped, 0)).toBeUndefined()
    expect(mendedField(packet(30), 0)).toBeUndefined()
  })
})
