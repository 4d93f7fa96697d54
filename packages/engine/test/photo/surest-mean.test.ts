import { describe, expect, it } from 'vitest'
import { surestMean } from '../../src/photo/levels/surest-mean.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'

describe('the surest mean of ways of measuring', () => {
  const tries = (errors: readonly number[], count: number): number[][] => {
    const random = randomFrom(7)
    return Array.from({ length: count }, () => errors.map((error) => error * (2 * random() - 1)))
  }
  const errorOf = (rows: readonly (readonly number[])[], weights: readonly number[]): number =>
    Math.sqrt(
      rows.reduce((sum, row) => sum + row.reduce((all, value, i) => all + weights[i] * value, 0) ** 2, 0) /
        rows.length,
    )

  it('errs less than the best way alone', () => {
    const weights = surestMean(tries([2, 1, 4], 40), 3)
    expect(weights.reduce((a, b) => a + b)).toBeCloseTo(1)
    expect(errorOf(tries([2, 1, 4], 4_000), weights)).toBeLessThan(
      0.95 * errorOf(tries([2, 1, 4], 4_000), [0, 1, 0]),
    )
  })

  it('leaves out what only adds to the error of another', () => {
    const alike = tries([1], 40).map(([own]) => [own, 3 * own])
    expect(surestMean(alike, 2)).toEqual([1, 0])
  })

  it('is the first way where few tries tell', () => {
    expect(surestMean(tries([9, 1], 3), 2)).toEqual([1, 0])
  })
})
