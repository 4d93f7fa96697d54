import { expect, it } from 'vitest'
import { beyondGamut } from '../../src/photo/frame/gamut.ts'

it('counts the means that no red, green and blue have, beyond what rounding does', () => {
  // white, black, full red, and grey
  const means = [
    [127, -128, -52, 0],
    [0, 0, -43, 0],
    [0, 0, 127, 0],
  ].map((levels) => Float32Array.from(levels, (level) => level * 8))
  expect(beyondGamut(means, [1, 1, 1])).toBe(0)
  expect(beyondGamut(means, [1.2, 1.2, 1.2])).toBe(0.75)
  expect(beyondGamut(means, [1, 1, 1.2])).toBe(0.25)
})
