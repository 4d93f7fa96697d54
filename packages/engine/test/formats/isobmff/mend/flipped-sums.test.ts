import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flip } from '../../../../src/formats/isobmff/mend/bits.ts'
import { FlippedSums, powersFrom } from '../../../../src/formats/isobmff/mend/times/flipped-sums.ts'

const USUAL = 512
const word = fc.oneof(fc.nat(2_000), fc.nat(0xffff_ffff))
const tables = fc.record({
  values: fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
  weights: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 5, maxLength: 5 }),
  weighed: fc.boolean(),
})

/** What each bit of each value would change, one by one. */
function changes(values: readonly number[], weights: readonly number[] | undefined) {
  return values.flatMap((was, run) =>
    Array.from({ length: 32 }, (_, bit) => {
      const value = flip(was, bit)
      const strange = powersFrom(value, USUAL) - powersFrom(was, USUAL)
      return { run, value, gain: (value - was) * (weights?.[run] ?? 1), strange }
    }),
  )
}

it('sums of flipped bits are those of each bit of each value, one by one', () => {
  fc.assert(
    fc.property(tables, fc.nat(200), fc.nat(200), fc.nat(9), ({ values, weights, weighed }, a, b, most) => {
      const weight = weighed ? weights : undefined
      const sums = new FlippedSums(
        Float64Array.from(values),
        weight && Uint32Array.from(weight),
        values.length,
        USUAL,
      )
      const each = changes(values, weight)
      const gains = [...new Set(each.map(({ gain }) => gain))]
      expect(sums.steps).toBe(1 + Math.floor(gains.length / 8))
      expect(sums.all()).toEqual(each)
      const [first, second] = [each[a % each.length], each[b % each.length]]
      expect(sums.withGain(first.gain)).toEqual(each.filter(({ gain }) => gain === first.gain))
      expect(sums.withGain(0.5)).toEqual([])
      expect(sums.hasPair(first.gain + second.gain)).toBe(true)
      const wanted = first.gain + second.gain + 1
      expect(sums.hasPair(wanted)).toBe(gains.some((gain) => gains.includes(wanted - gain)))
      const less = each.filter(({ strange }) => strange < 0).sort((x, y) => x.strange - y.strange)
      expect(sums.lessStrange(most)).toEqual(less.slice(0, most))
    }),
    { numRuns: 200 },
  )
})

it('a value is as strange as its powers of two from the usual one', () => {
  expect([0, 1, 3].map((times) => Math.round(powersFrom(512 * 2 ** times, 512)))).toEqual([0, 1, 3])
  expect(Math.round(powersFrom(64, 512))).toBe(3)
  expect(powersFrom(0, 0)).toBe(0)
})
