import { describe, expect, it } from 'vitest'
import { leastOf, mostOf } from '../../src/model/extremes.ts'

describe('the largest and the smallest', () => {
  it('of a million values are found', () => {
    const values = Float64Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 1_000_003)
    const largest = values.toSorted()[values.length - 1]
    expect(mostOf(values, (value) => value)).toBe(largest)
    expect(leastOf(values, (value) => -value)).toBe(-largest)
  })

  it('of none are infinite, as those of no arguments are', () => {
    expect(mostOf([], () => 1)).toBe(Math.max())
    expect(leastOf([], () => 1)).toBe(Math.min())
  })
})
