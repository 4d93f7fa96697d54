import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { dealRuns, soundRuns, stepOf } from '../../../src/recovery/telling-apart/sound-runs.ts'

/** Pictures of 100 bytes with runs of sound behind them, a unit's bytes each; `-1` stands for ten bytes that are lost. */
function recording(turns: readonly (readonly number[])[], pictures = 1) {
  const tables = { pictures: new SampleTable(), sounds: new SampleTable() }
  let at = 0
  const push = (table: SampleTable, size: number): void => {
    table.push(at, size, 1, 1, table.length, 0)
    at += size
  }
  for (const turn of turns) {
    for (let i = 0; i < pictures; i++) push(tables.pictures, 100)
    for (const size of turn) {
      if (size < 0) at += 10
      else push(tables.sounds, size)
    }
  }
  push(tables.pictures, 100)
  return soundRuns([tables.pictures], [tables.sounds])
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('runs of sound between pictures', () => {
  it('are left out where a hole may have taken a part', () => {
    expect(recording([[5, 5], [5, -1, 5], [-1, 5, 5], [5]]).map(({ size }) => size)).toEqual([[5, 5], [5]])
  })

  it('tell how many tracks are in step by what divides all of them', () => {
    const two = recording(times(24, (i) => times(i % 3 === 0 ? 4 : 2, () => 9)))
    expect(stepOf(two)).toEqual({ most: 2, sure: true })
    const one = recording(times(24, (i) => times(i % 3 === 0 ? 1 : 2, () => 9)))
    expect(stepOf(one)?.most).toBe(1)
  })

  it('prove little where all are equally long, and nothing where they are few', () => {
    expect(stepOf(recording(times(24, () => times(6, () => 9))))).toEqual({ most: 6, sure: false })
    expect(stepOf(recording(times(6, () => [9, 9])))).toBeUndefined()
  })

  it('are dealt in turn between single pictures, and in shares where pictures come several at a time', () => {
    const units = (pictures: number): number[] =>
      dealRuns(
        recording(
          times(4, () => [9, 9, 9, 9]),
          pictures,
        ),
        2,
      )[0].map(({ offset }) => offset)
    expect(units(1).slice(0, 4)).toEqual([100, 118, 236, 254])
    expect(units(3).slice(0, 4)).toEqual([300, 309, 636, 645])
  })

  it('are dealt so that sizes change least within a track', () => {
    const shares = recording(times(4, () => [40, 41, 90, 91]))
    expect(dealRuns(shares, 2)[1].every(({ length }) => length >= 90)).toBe(true)
    const turns = recording(
      times(4, () => [40, 90, 41, 91]),
      3,
    )
    expect(dealRuns(turns, 2)[1].every(({ length }) => length >= 90)).toBe(true)
  })
})
