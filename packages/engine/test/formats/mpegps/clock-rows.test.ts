import { expect, it } from 'vitest'
import { ClockRows } from '../../../src/formats/mpegps/read/clock-rows.ts'
import { WRAP } from '../../../src/syntax/pes/time-stamp.ts'

it('rows are found by their clocks, the last of several, for 4096 rows', () => {
  const count = 10_000
  const apart = 3_600
  const first = WRAP - apart * 8_000
  const dts = Float64Array.from({ length: count }, (_, row) => first + apart * row)
  dts[9_500] = dts[9_499]
  const rows = new ClockRows()
  for (const [row, time] of dts.entries()) rows.add(time % WRAP, row)
  const oldest = count - 4_096
  for (let row = 0; row < count; row++) {
    if (row === 9_500) continue
    const found = row === 9_499 ? 9_500 : row < oldest ? -1 : row
    expect(rows.last(dts[row] % WRAP, dts)).toBe(found)
  }
  expect(rows.last(1, dts)).toBe(-1)
})
