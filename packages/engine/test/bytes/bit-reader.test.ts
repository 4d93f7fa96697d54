import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitReader } from '../../src/bytes/bit-reader.ts'

/** Bytes from a text of zeros and ones, filled up with ones. */
function bytesOf(bits: string): Uint8Array {
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1')
  return Uint8Array.from({ length: whole.length / 8 }, (_, i) =>
    Number.parseInt(whole.slice(i * 8, i * 8 + 8), 2),
  )
}

/** An Exp-Golomb code as the standard spells it: as many zeros as bits follow the first one. */
function golomb(value: number): string {
  const code = (value + 1).toString(2)
  return '0'.repeat(code.length - 1) + code
}

const values = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 ** 32 - 2 })),
  { minLength: 1, maxLength: 40 },
)

describe('Exp-Golomb codes', () => {
  it('come back as they were written, from any bit on and up to the last one', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 40 }), (written, lead) => {
        const bits = '0'.repeat(lead) + written.map(golomb).join('')
        const reader = new BitReader(bytesOf(bits), lead, bits.length)
        expect(written.map(() => reader.ue())).toEqual(written)
        expect([reader.left, reader.overrun]).toEqual([0, false])
      }),
    )
  })

  it('are signed by turns', () => {
    const reader = new BitReader(bytesOf([0, 1, 2, 3, 4, 2 ** 32 - 2].map(golomb).join('')))
    expect(Array.from({ length: 6 }, () => reader.se() + 0)).toEqual([0, 1, -1, 2, -2, -(2 ** 31 - 1)])
  })

  it('that are cut off or too long overrun, whatever lies behind the end', () => {
    for (const [bits, end] of [
      ['0000', 4],
      ['00001', 4],
      ['0'.repeat(40) + '1'.repeat(60), 100],
    ] as const) {
      const reader = new BitReader(bytesOf(bits), 0, end)
      expect(reader.ue()).toBe(0)
      expect(reader.overrun).toBe(true)
    }
  })
})

it('bits of every length are read at every place, zeros behind the end', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 12 }),
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 0, max: 32 }),
      (bytes, at, count) => {
        const text = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
        const wanted = text.slice(at, at + count).padEnd(count, '0')
        const reader = new BitReader(bytes, at)
        expect(reader.bits(count)).toBe(count === 0 ? 0 : Number.parseInt(wanted, 2))
        expect(reader.overrun).toBe(at + count > bytes.length * 8)
      },
    ),
  )
})
