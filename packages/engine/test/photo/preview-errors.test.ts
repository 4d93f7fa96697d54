import { describe, expect, it } from 'vitest'
import { withErrorsBeside } from '../../src/photo/levels/preview-errors.ts'

/** Borders of sections that follow each other: none has a step. */
const BORDERS = Array.from({ length: 7 }, (_, above) => ({
  below: above + 1,
  above,
  difference: 0,
  weight: 0.2 ** -2,
  farOff: 2,
}))

const told = (differences: readonly number[]): { difference: number; error: number }[] =>
  differences.map((difference) => ({ difference, error: 0.3 }))

describe('what a preview tells of sections', () => {
  it('is as sure as it seems where borders tell the same', () => {
    const sure = withErrorsBeside(told([0.2, 0, 0.2, 0, -0.1, 0.2, -0.2, 0.1]), BORDERS)
    for (const each of sure) expect(each?.error).toBeCloseTo(0.3, 1)
  })

  it('is far less sure where borders contradict it', () => {
    const unsure = withErrorsBeside(told([3, 1, 4, -1, 2, 5, 0, 3]), BORDERS)
    for (const each of unsure) expect(each?.error).toBeGreaterThan(1.5)
  })

  it('is less sure than it seems where few borders tell', () => {
    const [first] = withErrorsBeside(told([0, 0, 0]), BORDERS.slice(0, 2))
    expect(first?.error).toBeCloseTo(0.45)
  })
})
