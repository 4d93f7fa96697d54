import { expect, it } from 'vitest'
import { around } from '../../../src/recovery/losses/around.ts'

it('numbers around another are those within reach of its neighbours', () => {
  expect(around(5.5, 1)).toEqual([4, 5, 6, 7])
  expect(around(1, 3)).toEqual([0, 1, 2, 3, 4])
  expect(around(-7, 2)).toEqual([0])
})

it('they are few, from the first to nearly the last, however far the reach is', () => {
  const numbers = around(5e9, 4e9)
  expect(numbers.length).toBeLessThanOrEqual(1024)
  expect(numbers[0]).toBe(1e9)
  expect(numbers.at(-1)).toBeGreaterThan(8.9e9)
})
