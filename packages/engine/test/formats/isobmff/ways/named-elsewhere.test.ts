import { expect, it } from 'vitest'
import { RunBuilder } from '../../../../src/formats/isobmff/boxes/stts.ts'
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

/** A track of an index, `timed` samples of which have a duration, and what was found of it. */
function found(recovered: number, damaged = 0, lost = 0, timed = 0, whole = true, description = {}) {
  const samples = new SampleTable()
  for (let row = 0; row < recovered + damaged + lost; row++) samples.push(row * 10, 10, 1, 1, row, 0)
  const durations = new RunBuilder()
  if (timed > 0) durations.add(512, timed)
  return {
    plan: { template: { whole, samples, description, tables: { durations } } },
    outcome: { recovered, damaged, lost },
  }
}

it('no more units than an index that lost nothing names are no more of its track, however long they are', () => {
  expect(mayHaveMore(found(1050), found(1050, 0, 52))).toBe(false)
  expect(mayHaveMore(found(1050), found(1051))).toBe(true)
  expect(mayHaveMore(found(1049, 1), found(1040))).toBe(true)
  expect(mayHaveMore(found(1040, 0, 10), found(1041))).toBe(true)
})

it('as many units as a whole index still has are no more, but plain sound is cut into units as it comes', () => {
  expect(mayHaveMore(found(33, 0, 12), found(33, 0, 11))).toBe(false)
  expect(mayHaveMore(found(33, 0, 12, 0, false), found(33, 0, 11))).toBe(true)
  expect(mayHaveMore(found(33, 0, 12, 0, true, { blockAlign: 4 }), found(33, 0, 11))).toBe(true)
})

it('more units than all tables of a whole track count are others’', () => {
  expect(mayHaveMore(found(325, 0, 0, 325), found(359))).toBe(false)
  expect(mayHaveMore(found(325, 0, 0, 325, false), found(359))).toBe(true)
  expect(mayHaveMore(found(325, 0, 0, 359), found(359))).toBe(true)
  expect(mayHaveMore(found(320, 5, 0, 325), found(359))).toBe(true)
})
