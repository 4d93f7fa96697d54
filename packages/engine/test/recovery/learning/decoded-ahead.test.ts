import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { decodedAhead } from '../../../src/recovery/learning/decoded-ahead.ts'

/** Display places of four pictures in decoding order. */
const ORDER = [0, 3, 1, 2]
const PICTURES = 40
/** Pictures at instants of a varying rate. */
const INSTANTS = Array.from({ length: PICTURES + 4 }, (_, i) => i * 100 + ((i * 37) % 61))

/** Pictures that are decoded at the instants `ahead` places before those at which they are shown, `later` ticks on. */
function table(order: readonly number[], ahead: number, later: number): SampleTable {
  const result = new SampleTable()
  for (let row = 0; row < PICTURES; row++) {
    const shown = INSTANTS[row - (row % 4) + order[row % 4] + ahead] + later
    result.push(row, 1, 1, 1, row, 0)
    result.dts[row] = INSTANTS[row]
    result.cts[row] = shown - INSTANTS[row]
  }
  return result
}

describe('places by which decoding runs ahead of showing', () => {
  it('are none where both clocks are a fixed time apart, however pictures are reordered', () => {
    expect(decodedAhead(table(ORDER, 0, 200))).toBe(0)
  })

  it('are as many as pictures are decoded early at the instants at which others are shown', () => {
    expect(decodedAhead(table(ORDER, 2, 0))).toBe(2)
  })

  it('are not told by pictures that are shown as they are decoded', () => {
    expect(decodedAhead(table([0, 1, 2, 3], 0, 0))).toBeUndefined()
  })
})
