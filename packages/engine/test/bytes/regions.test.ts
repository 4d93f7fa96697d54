import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeRegions, type Region, regionAt, subtractRegions } from '../../src/bytes/regions.ts'

const SIZE = 60
const regions = fc.array(
  fc.record({ offset: fc.integer({ min: 0, max: SIZE }), length: fc.integer({ min: 0, max: 9 }) }),
  { maxLength: 8 },
)

/** Which bytes regions hold. */
function bytesOf(all: readonly Region[]): boolean[] {
  return Array.from({ length: SIZE + 9 }, (_, at) =>
    all.some(({ offset, length }) => at >= offset && at < offset + length),
  )
}

it('regions joined hold the same bytes, in order and apart', () => {
  fc.assert(
    fc.property(regions, (all) => {
      const merged = mergeRegions(all)
      expect(bytesOf(merged)).toEqual(bytesOf(all))
      for (const [i, { offset, length }] of merged.entries()) {
        expect(length).toBeGreaterThan(0)
        if (i > 0) expect(offset).toBeGreaterThan(merged[i - 1].offset + merged[i - 1].length)
      }
    }),
  )
})

it('what is left of regions without others is what only they hold', () => {
  fc.assert(
    fc.property(regions, regions, (all, taken) => {
      const left = subtractRegions(mergeRegions(all), mergeRegions(taken))
      const others = bytesOf(taken)
      expect(bytesOf(left)).toEqual(bytesOf(all).map((held, at) => held && !others[at]))
      expect(left.every(({ length }) => length > 0)).toBe(true)
    }),
  )
})

it('the region of a byte is the one that holds it', () => {
  fc.assert(
    fc.property(regions, (all) => {
      const merged = mergeRegions(all)
      for (let at = 0; at < SIZE; at++)
        expect(regionAt(merged, at)).toBe(
          merged.find(({ offset, length }) => at >= offset && at < offset + length),
        )
    }),
  )
})
