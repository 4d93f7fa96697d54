import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { stepHabits } from '../../../src/recovery/learning/step-habits.ts'

function lasting(durations: readonly number[]): SampleTable {
  const table = new SampleTable()
  let time = 0
  for (const duration of durations) {
    table.dts[table.push(table.length * 100, 100, 1, duration, table.length, 0)] = time
    time += duration
  }
  return table
}

const repeated = (durations: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => durations).flat()

describe('how pictures follow one another on a grid', () => {
  it('are learned from their decoding times, behind each step its own', () => {
    const habits = stepHabits(lasting(repeated([40, 20, 20], 30)))
    // longer ones may come in another recording
    expect(habits).toMatchObject({ grid: 20, most: 4 })
    const behind = (before: number): readonly number[] =>
      Array.from(habits?.chances.subarray(before * 5 + 1, before * 5 + 5) ?? [])
    // behind a long one never another; behind a short one as often as not
    expect(behind(2)[1]).toBeLessThan(0.05)
    expect(behind(1)[1]).toBeCloseTo(0.5, 1)
    expect(behind(2)[3]).toBeGreaterThan(0)
    for (const before of [0, 1, 2, 3, 4])
      expect(behind(before).reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9)
  })

  it('lie on a finer one where most are several places apart', () => {
    expect(stepHabits(lasting(repeated([20, 20, 20, 10, 30], 20)))).toMatchObject({ grid: 10, most: 6 })
  })

  it('keep their places where some come late, and those behind them as much sooner', () => {
    const habits = stepHabits(lasting(repeated([...repeated([1000], 18), 1726, 1283, 991], 6)))
    expect(habits).toMatchObject({ grid: 1000, most: 4 })
    expect(stepHabits(lasting(repeated([...repeated([1000], 4), 1726, 1283, 991], 9)))).toBeUndefined()
  })

  it('are none where every place is filled, where pictures come anywhere, or there are too few', () => {
    expect(stepHabits(lasting(repeated([20], 60)))).toBeUndefined()
    expect(stepHabits(lasting(repeated([20, 33, 27, 41, 22], 20)))).toBeUndefined()
    expect(stepHabits(lasting(repeated([40, 20], 5)))).toBeUndefined()
  })
})
