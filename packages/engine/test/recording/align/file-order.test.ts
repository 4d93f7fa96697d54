import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { fileOrder } from '../../../src/recording/align/file-order.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'

function tableOf(offsets: readonly number[]): SampleTable {
  const table = new SampleTable()
  for (const offset of offsets) table.push(offset, 1, 1, 1, 0, 0)
  return table
}

it('rows of many tables come by their offsets', async () => {
  const random = randomFrom(3)
  const offsets = Array.from({ length: 100 }, (_, i) =>
    Array.from({ length: i % 7 }, () => random()).sort((a, b) => a - b),
  )
  const order = await fileOrder(offsets.map(tableOf), SILENT)
  const expected = offsets
    .flatMap((rows, table) => rows.map((offset, row) => ({ offset, table, row })))
    .sort((a, b) => a.offset - b.offset)
  expect(order.length).toBe(expected.length)
  expect([...order.table]).toEqual(expected.map(({ table }) => table))
  expect([...order.row]).toEqual(expected.map(({ row }) => row))
})

it('a row out of order in its table comes where the table has it', async () => {
  const order = await fileOrder([tableOf([10, 5, 30]), tableOf([]), tableOf([7, 20])], SILENT)
  expect([...order.table]).toEqual([2, 0, 0, 2, 0])
  expect([...order.row]).toEqual([0, 0, 1, 1, 2])
})

it('of rows at one offset the first table’s comes first, and a table goes on while no other is before it', async () => {
  const order = await fileOrder([tableOf([5, 5]), tableOf([5, 9]), tableOf([2, 5])], SILENT)
  expect([...order.table]).toEqual([2, 2, 0, 0, 1, 1])
})
