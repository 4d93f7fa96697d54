import { describe, expect, it, vi } from 'vitest'
import { SAMPLE_AFTER_HOLE, SampleTable } from '../../../src/model/sample-table.ts'
import { pictureDurations } from '../../../src/recovery/learning/picture-durations.ts'

/** Pictures that are decoded every `each` ticks and shown at `times`; those of `holes` lie behind bytes that nobody knows. */
function film(times: readonly number[], holes: readonly number[] = [], each = 10): SampleTable {
  const table = new SampleTable()
  for (const [i, time] of times.entries()) {
    const row = table.push(
      i * 100,
      100,
      1,
      i % 2 === 0 ? each : each + 1,
      0,
      holes.includes(i) ? SAMPLE_AFTER_HOLE : 0,
    )
    table.dts[row] = i * each
    table.cts[row] = time - i * each
  }
  return table
}

describe('how long pictures show', () => {
  it('is from one to the next in display order', () => {
    expect([...pictureDurations(film([0, 10, 25, 30]))]).toEqual([10, 15, 5])
    expect([...pictureDurations(film([0, 30, 10, 25]))]).toEqual([10, 15, 5])
  })

  it('is not known between two near a hole, and all that there is where none is far from one', () => {
    const times = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? i : i + 2) * 10)
    const shown = pictureDurations(film(times, [20]))
    expect(shown.length).toBe(39)
    expect([shown[0], shown[1], shown[19], shown[38]]).toEqual([20, 10, 0, 20])
    expect([...pictureDurations(film([0, 30, 10, 25], [1, 2, 3]))]).toEqual([10, 15, 5])
  })

  it('is told without sorting pictures one by one where there are no holes', () => {
    const sort = vi.spyOn(Uint32Array.prototype, 'sort')
    pictureDurations(film([0, 30, 10, 25]))
    const calls = sort.mock.calls.length
    sort.mockRestore()
    expect(calls).toBe(0)
  })
})
