import { describe, expect, it } from 'vitest'
import { giveBackRows } from '../../../src/formats/isobmff/ways/index/found-rows.ts'
import type { RecoveredTrack } from '../../../src/formats/isobmff/ways/index/surviving-index.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { TrackOutcome } from '../../../src/recording/track-outcome.ts'

/** Samples of 100 bytes that follow each other, shown for 10 ticks each, of which only some rows are taken. */
function table(rows: readonly number[], start = 0): SampleTable {
  const result = new SampleTable(rows.length + 1)
  for (const row of rows) result.dts[result.push(row * 100, 100, 1, 10, row, 0)] = (row - start) * 10
  return result
}

/** A track of ten entries, of which those of four samples lie elsewhere. */
function hit(): RecoveredTrack {
  const outcome = new TrackOutcome(100, 0)
  const samples = table([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  const kept = [0, 1, 6, 7, 8, 9]
  for (let row = 0; row < 10; row++)
    outcome.add(kept.includes(row) ? 'recovered' : 'lost', samples, row, row * 100)
  return {
    plan: { template: { samples }, table: table(kept), times: 'index' },
    outcome,
    estimated: false,
  } as never
}

const given = (rows: readonly number[], length = 400) =>
  giveBackRows([hit()], [{ region: { offset: 200, length }, tables: [table(rows, 2)] }])

describe('entries that were hit', () => {
  it('get the units that fill the place between their neighbours, at their own times', () => {
    const { tracks, additions, named } = given([2, 3, 4, 5])
    const { plan, outcome } = tracks[0]
    expect([...plan.table.dts.subarray(0, plan.table.length)]).toEqual([
      0, 10, 20, 30, 40, 50, 60, 70, 80, 90,
    ])
    expect([...plan.table.offset.subarray(0, plan.table.length)]).toEqual(
      [...Array(10).keys()].map((row) => row * 100),
    )
    expect([outcome.recovered, outcome.lost, additions.length, named.length]).toEqual([10, 0, 0, 1])
  })

  it('get none where they are fewer, or leave bytes between them', () => {
    for (const { tracks, additions, named } of [given([2, 3, 4], 300), given([2, 3, 4, 5], 401)]) {
      expect([tracks[0].plan.table.length, tracks[0].outcome.lost]).toEqual([6, 4])
      expect([additions.length, named.length]).toEqual([1, 0])
    }
  })

  it('get none where the units that were found do not fill the place', () => {
    const shorter = table([2, 3, 4, 5], 2)
    shorter.size[3] = 99
    const { tracks, named } = giveBackRows(
      [hit()],
      [{ region: { offset: 200, length: 400 }, tables: [shorter] }],
    )
    expect([tracks[0].plan.table.length, named.length]).toEqual([6, 0])
  })

  it('get none where their own times are not those of the units', () => {
    const track = hit()
    track.plan.template.samples.dts[3] += 1 << 12
    const tables = [table([2, 3, 4, 5], 2)]
    const { tracks, additions } = giveBackRows([track], [{ region: { offset: 200, length: 400 }, tables }])
    expect([tracks[0].plan.table.length, additions.length]).toEqual([6, 1])
  })
})
