import { describe, expect, it } from 'vitest'
import { lacksField } from '../../../src/formats/mpegts/read/adaptation.ts'

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
  })

  it('that begins with other bytes is none', () => {
    expect(lacksField(packet(3), 0)).toBe(true)
  })
})
