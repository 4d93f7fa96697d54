import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filling, isSpoiled } from '../../../src/codecs/nal/filling.ts'

/** NAL units with the length of each in front of it. */
function sampleOf(units: readonly Uint8Array[], lengthSize: number): Uint8Array {
  return Uint8Array.from(
    units.flatMap((unit) => [
      ...Array.from({ length: lengthSize }, (_, i) => (unit.length / 256 ** (lengthSize - 1 - i)) & 255),
      ...unit,
    ]),
  )
}

const SHORTEST = 2
const units = fc.array(fc.uint8Array({ minLength: SHORTEST, maxLength: 300 }), { minLength: 1, maxLength: 5 })

describe('a sample of units behind lengths', () => {
  it('is read as it was put together, and not where a length leads beyond it or is too small', () => {
    fc.assert(
      fc.property(units, fc.constantFrom(2, 3, 4), fc.nat(255), (parts, lengthSize, rest) => {
        const sample = sampleOf(parts, lengthSize)
        expect(filling(sample, lengthSize, SHORTEST)).toEqual(parts)
        expect(
          filling(sample, lengthSize, Math.min(...parts.map(({ length }) => length)) + 1),
        ).toBeUndefined()
        expect(filling(sample.subarray(0, -1), lengthSize, SHORTEST)).toBeUndefined()
        // less than a length and a byte is no unit
        const more = Uint8Array.of(...sample, ...Array<number>(lengthSize).fill(rest))
        expect(filling(more, lengthSize, SHORTEST)).toEqual(parts)
      }),
    )
    expect(filling(new Uint8Array(5), 4, 1)).toBeUndefined()
  })

  it('is spoiled by 00 00 02, and by three zeros that are neither at its end nor a start code’s', () => {
    const short = fc.uint8Array({ max: 3, minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(short, (unit) => {
        const text = Buffer.from(unit)
          .toString('hex')
          .replace(/(00)*$/, '')
        const pairs = text.match(/../g) ?? []
        const at = (i: number) => pairs.slice(i, i + 4).join('')
        const spoiled = pairs.some((_, i) => i + 3 < pairs.length && /^0000(02|00(?!01))/.test(at(i)))
        expect(isSpoiled([Uint8Array.of(5, 6, 7, 8), unit])).toBe(spoiled)
      }),
      { numRuns: 2_000 },
    )
  })
})
