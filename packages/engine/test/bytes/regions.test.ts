import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinNearest, mergeRegions, type Region, regionAt, subtractRegions } from '../../src/bytes/regions.ts'

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

it('the nearest of too many regions are joined, the first of those equally near, and no more than must be', () => {
  fc.assert(
    fc.property(regions, fc.integer({ min: 1, max: 9 }), (all, most) => {
      const merged = mergeRegions(all)
      const joined = joinNearest(merged, most)
      expect(joined).toHaveLength(Math.min(most, merged.length))
      const held = bytesOf(joined)
      expect(bytesOf(all).every((was, at) => !was || held[at])).toBe(true)
    }),
  )
  const four = [0, 10, 12, 20].map((offset) => ({ offset, length: 1 }))
  expect(joinNearest(four, 2).map(({ offset, length }) => [offset, length])).toEqual([
    [0, 1],
    [10, 11],
  ])
  const even = [0, 4, 8].map((offset) => ({ offset, length: 2 }))
  expect(joinNearest(even, 2).map(({ offset, length }) => [offset, length])).toEqual([
    [0, 6],
    [8, 2],
  ])
})
