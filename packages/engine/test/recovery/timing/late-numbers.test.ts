import { expect, it } from 'vitest'
import { SAMPLE_KEY, SAMPLE_RESTART } from '../../../src/model/sample-table.ts'
import { catchUp } from '../../../src/recovery/timing/late-numbers.ts'
import { timeline } from '../../../src/recovery/timing/timeline.ts'
import { interleave, lane, prior } from '../lanes.ts'

const SECOND = 25

it('pictures behind a hole that took a second are later by it when the next key picture tells the second', () => {
  const made = lane(0, 'video', SECOND, SECOND)
  const video = { ...made, recogniser: made.recogniser && { ...made.recogniser, orderLateBy: SECOND } }
  const audio = lane(1, 'audio', 1000)
  const kept: number[] = []
  let offset = 0
  for (let picture = 0; picture < 75; picture++) {
    const isLost = picture >= 20 && picture < 40
    if (!isLost) {
      // planes count from the last second told, of which the hole took one
      const late = picture >= 40 && picture < 50 ? SECOND : 0
      const flags = picture === 40 ? SAMPLE_RESTART : picture % 25 === 0 ? SAMPLE_KEY : 0
      video.table.push(offset, 1000, 1, 1, picture - late, flags | (picture === 0 ? SAMPLE_RESTART : 0))
      kept.push(picture)
    }
    for (let unit = 0; unit < 2; unit++)
      if (!isLost) audio.table.push(offset + 1000 + unit * 100, 100, 1, 20, picture * 2 + unit, SAMPLE_KEY)
    offset += 1200
  }
  const hole = { offset: 20 * 1200, length: 20 * 1200, rows: [20, 40] }
  const [pictures] = timeline([video, audio], interleave([prior(1, 25_000), prior(20, 5_000)]), [hole])
  const shown = kept.map((_, row) => video.table.dts[row] + video.table.cts[row] - pictures.compositionShift)
  expect(shown).toEqual(kept)
  expect(audio.table.dts[audio.table.length - 1]).toBe(149 * 20)
})

it('numbers stay as they are where no leap of whole periods follows', () => {
  for (const leap of [0, 10]) {
    const { table } = lane(0, 'video', SECOND, SECOND)
    for (let row = 0; row < 20; row++) table.push(row, 1, 1, 1, row + (row >= 15 ? leap : 0), 0)
    const before = [...table.order.subarray(0, 20)]
    catchUp(table, [10], { orderLateBy: SECOND, orderStep: 1 })
    expect([...table.order.subarray(0, 20)]).toEqual(before)
  }
})

it('pictures that the next ones say were lost before them are lost in the hole', () => {
  const { table } = lane(0, 'video', SECOND)
  for (const order of [0, 1, 2, 3, 4, 9, 10, 11]) table.push(order, 1, 1, 1, order, 0)
  catchUp(table, [3], { orderLateBy: 1, orderStep: 1 })
  expect([...table.order.subarray(0, 8)]).toEqual([0, 1, 2, 7, 8, 9, 10, 11])
})

it('a picture in two pieces beside a hole has one place', () => {
  const { table } = lane(0, 'video', SECOND)
  for (const order of [0, 1, 2, 3, 4, 4, 5]) table.push(order, 1, 1, 1, order, 0)
  catchUp(table, [3], { orderLateBy: 1, orderStep: 1 })
  expect([...table.order.subarray(0, 7)]).toEqual([0, 1, 2, 2, 3, 4, 5])
})
