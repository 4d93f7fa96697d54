import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { fileOrder } from '../../../src/recording/align/file-order.ts'
import { TakenPlaces } from '../../../src/recording/align/taken-places.ts'

/** Rows of 50 bytes, 100 apart, of which the first `found` were found 7 bytes on. */
async function taken(found: number): Promise<(offset: number, size: number) => boolean> {
  const table = new SampleTable()
  for (let row = 0; row < 40; row++) table.push(row * 100, 50, 1, 1, row, 0)
  const places = new TakenPlaces([table], await fileOrder([table], SILENT))
  for (let place = 0; place < found; place++) places.note(place, 7)
  return (offset, size) => places.has(offset, size, found)
}

it('no sample lies in a part of one that was found, nor around it', async () => {
  const has = await taken(20)
  expect(has(507, 50)).toBe(true)
  expect(has(520, 20)).toBe(true)
  expect(has(480, 28)).toBe(true)
  expect(has(480, 200)).toBe(true)
  expect(has(557, 50)).toBe(false)
  expect(has(470, 37)).toBe(false)
  expect(has(2007, 50)).toBe(false)
})

it('one lies in the last that was found, where that lacks bytes', async () => {
  const has = await taken(20)
  expect(has(1907, 50)).toBe(true)
  expect(has(1930, 50)).toBe(false)
  expect(has(1830, 10)).toBe(true)
})
