import { describe, expect, it } from 'vitest'
import { evenUnit } from '../../../src/recovery/learning/even-rate.ts'

const repeat = (times: number, ...durations: number[]): number[] =>
  Array.from({ length: times }, () => durations).flat()

describe('an even rate', () => {
  it('is what a clock in steps of two ticks rounds to 66, 66 and 68', () => {
    expect(evenUnit(repeat(20, 66, 66, 68))).toBeCloseTo(200 / 3, 6)
  })

  it('is none where times stray from it by more than two steps of the clock', () => {
    const runs = (length: number) => repeat(20, ...repeat(2 * length, 66), ...repeat(length, 68))
    expect(evenUnit(runs(2))).toBeCloseTo(200 / 3, 6)
    expect(evenUnit(runs(4))).toBeUndefined()
  })
})
