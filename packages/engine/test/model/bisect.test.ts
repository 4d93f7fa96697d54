import { expect, it } from 'vitest'
import { countBelow, countBelowNear, nextAbove } from '../../src/model/bisect.ts'

it('counts the same from wherever it begins', () => {
  const rising = Float64Array.from({ length: 200 }, (_, i) => Math.floor(i / 3) * 5)
  for (let value = -3; value < 340; value += 2) {
    expect(countBelow(rising, value)).toBe(rising.filter((each) => each < value).length)
    expect(nextAbove(rising, value)).toBe(rising.find((each) => each > value) ?? Number.POSITIVE_INFINITY)
    for (const guess of [0, 1, 17, 100, 198, 199, 500])
      expect(countBelowNear(rising, value, guess)).toBe(countBelow(rising, value))
  }
  expect(countBelow(rising, 330, 50)).toBe(50)
  expect(countBelowNear(new Float64Array(0), 4, 0)).toBe(0)
})
