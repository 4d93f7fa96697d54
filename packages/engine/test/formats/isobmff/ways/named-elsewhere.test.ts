import { expect, it } from 'vitest'
import { mayHaveMore, NamedElsewhere } from '../../../../src/formats/isobmff/ways/index/named-elsewhere.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'

/** A track of rows of ten bytes. */
function rowsAt(...offsets: readonly number[]): { readonly plan: { readonly table: SampleTable } } {
  const table = new SampleTable()
  for (const offset of offsets) table.push(offset, 10, 1, 1, 0, 0)
  return { plan: { table } }
}

it('bytes of what was carved are another track’s where an index names them as that', () => {
  const named = new NamedElsewhere([rowsAt(0, 10, 20), rowsAt(30)])
  const carved = rowsAt(0, 10, 20, 30, 40)
  expect(named.bytes(carved, 0)).toBe(10)
  expect(named.bytes(carved, 1)).toBe(30)
  expect(named.bytes(carved, -1)).toBe(40)
  expect(named.bytes(rowsAt(40, 15), -1)).toBe(0)
})

it('no more units than an index that lost nothing names are no more of its track, however long they are', () => {
  const found = (recovered: number, damaged = 0, lost = 0) => ({ outcome: { recovered, damaged, lost } })
  expect(mayHaveMore(found(1050), found(1050, 0, 52))).toBe(false)
  expect(mayHaveMore(found(1050), found(1051))).toBe(true)
  expect(mayHaveMore(found(1049, 1), found(1040))).toBe(true)
  expect(mayHaveMore(found(1040, 0, 10), found(1040))).toBe(true)
})
