import { expect, it } from 'vitest'
import { SAMPLE_KEY, SAMPLE_RESTART } from '../../../src/model/sample-table.ts'
import { catchUp } from '../../../src/recovery/timing/late-numbers.ts'
import { Pictures } from '../../../src/recovery/timing/picture-times.ts'
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

it('pictures behind a lost head are later by the seconds that the next key picture tells', () => {
  const numbers = (unit: number): number[] => {
    const { table } = lane(0, 'video', SECOND, SECOND)
    for (let picture = 40; picture < 60; picture++)
      table.push(
        picture,
        1,
        1,
        1,
        picture < 50 ? picture - SECOND : picture,
        picture === 40 ? SAMPLE_RESTART : 0,
      )
    catchUp(table, [0], { orderLateBy: unit, orderStep: 1 })
    return [...table.order.subarray(0, table.length)]
  }
  expect(numbers(SECOND)).toEqual(Array.from({ length: 20 }, (_, i) => 40 + i))
  // a count of pictures tells no seconds
  expect(numbers(1).slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, i) => 15 + i))
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

/**
 * Numbers of a phone that counts 45 pictures from each key picture on and only two seconds; the hole took `lost` pictures before
 * the third one.
 */
function phone(lost: number, keyAt: number): { readonly linked: boolean; readonly numbers: number[] } {
  const made = lane(0, 'video', 15, 15)
  for (let picture = 0; picture < 180; picture++) {
    if (picture >= 90 - lost && picture < 90) continue
    const group = Math.floor(picture / 45)
    const isKey = picture % 45 === 0 || picture === keyAt
    const flags = isKey ? SAMPLE_KEY | (picture % 45 === 0 ? SAMPLE_RESTART : 0) : 0
    made.table.push(picture, 1, 1, 1, group * 30 + (picture % 45), flags)
  }
  const { table } = made
  const linked = catchUp(table, [90 - lost], { orderLateBy: 15, orderStep: 1 })
  return { linked, numbers: [...table.order.subarray(0, table.length)] }
}

it('numbers that go back by whole seconds at key pictures go on over one behind a hole, by the least seconds', () => {
  const { linked, numbers } = phone(4, 10)
  expect(linked).toBe(true)
  // 70 was the last one found before the hole, the key picture said 60
  expect(numbers.slice(84, 90)).toEqual([69, 70, 75, 76, 77, 78])
})

it('two key pictures do not show that numbers go on over them', () => {
  const { linked, numbers } = phone(4, 0)
  expect(linked).toBe(false)
  expect(numbers.slice(84, 90)).toEqual([69, 70, 60, 61, 62, 63])
})

it('key pictures with which numbers begin anew link nothing', () => {
  const { table } = lane(0, 'video', SECOND, SECOND)
  for (let row = 0; row < 60; row++)
    table.push(row, 1, 1, 1, row % 12, row % 12 === 0 ? SAMPLE_KEY | SAMPLE_RESTART : 0)
  const before = [...table.order.subarray(0, 60)]
  expect(catchUp(table, [24], { orderLateBy: SECOND, orderStep: 1 })).toBe(false)
  expect([...table.order.subarray(0, 60)]).toEqual(before)
})

it('seconds that are no whole steps go on over key pictures as well', () => {
  const linked = (step: number): boolean => {
    const { table } = lane(0, 'video', 1000, 1000)
    for (let row = 0; row < 75; row++) {
      const flags = row % 15 === 0 ? SAMPLE_KEY | SAMPLE_RESTART : 0
      table.push(
        row,
        1,
        1,
        1,
        Math.floor(row / 15) * 1000 - (row >= 45 ? 1000 : 0) + (row % 15) * step,
        flags,
      )
    }
    return catchUp(table, [30], { orderLateBy: 1000, orderStep: step })
  }
  expect(linked(67)).toBe(true)
  // half a step away they are numbers of another picture
  expect(linked(64)).toBe(false)
})

it('a hole before a key picture takes whole seconds where numbers go on over them', () => {
  const made = lane(0, 'video', 15, 15)
  const video = {
    ...made,
    recogniser: made.recogniser && { ...made.recogniser, orderLateBy: 15, orderStep: 1 },
  }
  const kept: number[] = []
  let offset = 0
  let hole = { offset: 0, length: 0, rows: [0] }
  for (let picture = 0; picture < 225; picture++) {
    if (picture >= 76 && picture < 90) {
      // bytes of eight pictures are left of fourteen
      if (picture === 76) hole = { offset, length: 8_000, rows: [76] }
      if (picture === 89) offset += 8_000
      continue
    }
    const flags = picture % 45 === 0 ? SAMPLE_KEY | SAMPLE_RESTART : 0
    video.table.push(offset, 1000, 1, 1, Math.floor(picture / 45) * 30 + (picture % 45), flags)
    kept.push(picture)
    offset += 1000
  }
  expect(new Pictures(video, [hole]).numbersBefore(76)?.numbering).toMatchObject({
    linked: true,
    missing: 14,
  })
  const [pictures] = timeline([video], interleave([prior(1, 15_000)]), [hole])
  const shown = kept.map((_, row) => video.table.dts[row] + video.table.cts[row] - pictures.compositionShift)
  expect(shown).toEqual(kept)
})

it('pictures decoded ahead of others in whole groups go on behind a hole between them', () => {
  const { table, ...rest } = lane(0, 'video', SECOND)
  const video = { ...rest, table, recogniser: rest.recogniser && { ...rest.recogniser, orderStep: 1 } }
  for (const order of [2, 0, 1, 5, 3, 4, 8, 6, 7, 11, 9, 10])
    table.push(table.length * 10, 10, 1, 1, order, order === 2 ? SAMPLE_KEY | SAMPLE_RESTART : 0)
  const between = { offset: 40, length: 1, rows: [4] }
  const later = { offset: 90, length: 1, rows: [9] }
  expect(new Pictures(video, [between, later]).numbersBefore(4)?.numbering.goesOn).toBe(true)
})
