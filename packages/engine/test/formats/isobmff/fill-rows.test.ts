import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { fillRows } from '../../../src/formats/isobmff/ways/index/fill-rows.ts'
import type { RecoveredTrack } from '../../../src/formats/isobmff/ways/index/surviving-index.ts'
import { SAMPLE_DAMAGED, SampleTable } from '../../../src/model/sample-table.ts'
import { TrackOutcome } from '../../../src/recording/track-outcome.ts'
import { movieOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

/** Rows of an index as kept, without those that `lost` names and with those that `cut` names cut short. */
function kept(template: MovieTrack, lost: readonly number[], cut: readonly number[] = []): RecoveredTrack {
  const { samples } = template
  const table = new SampleTable(samples.length)
  const outcome = new TrackOutcome(template.description.timescale, 0)
  for (let row = 0; row < samples.length; row++) {
    if (lost.includes(row)) {
      outcome.add('lost', samples, row, -1)
      continue
    }
    const short = cut.includes(row)
    const at = table.push(
      samples.offset[row],
      short ? 20 : samples.size[row],
      1,
      samples.duration[row],
      row,
      samples.flags[row] | (short ? SAMPLE_DAMAGED : 0),
    )
    table.dts[at] = samples.dts[row]
    table.cts[at] = samples.cts[row]
    outcome.add(short ? 'damaged' : 'recovered', table, at, table.offset[at])
  }
  return { plan: { template, table, times: 'index' }, outcome, estimated: false }
}

const rowsOf = ({ plan: { table } }: RecoveredTrack): readonly string[] =>
  Array.from(
    { length: table.length },
    (_, row) =>
      `${table.offset[row]}+${table.size[row]} ${table.dts[row]} ${table.cts[row]} ${table.duration[row]}`,
  )

const ANY = { fits: () => true, intact: () => true }

describe('samples that an index has wrong', () => {
  it('are taken from where carving found as many units, at the times of the index', async () => {
    const [template] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    const whole = kept(template, [])
    const carved = kept(template, [])
    for (let row = 0; row < carved.plan.table.length; row++) carved.plan.table.dts[row] += 99
    const filled = fillRows(kept(template, [10, 11, 12], [20, 21, 30]), carved, ANY)
    expect(filled && rowsOf(filled)).toEqual(rowsOf(whole))
    expect(filled?.outcome).toMatchObject({ recovered: 50, damaged: 0, lost: 0 })
  })

  it('stay lost where carving found more or fewer', async () => {
    const [template] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    const given = kept(template, [10, 11, 12], [20, 30])
    const filled = fillRows(given, kept(template, [11, 30]), ANY)
    expect(filled?.outcome).toMatchObject({ recovered: 46, damaged: 1, lost: 3 })
    expect(fillRows(given, kept(template, [10, 20, 30]), ANY)).toBeUndefined()
  })

  it('stay lost where the bytes are not sound', async () => {
    const [template] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    const torn = { fits: () => true, intact: (offset: number) => offset !== template.samples.offset[20] }
    const filled = fillRows(kept(template, [10], [20]), kept(template, []), torn)
    expect(filled?.outcome).toMatchObject({ recovered: 49, damaged: 1, lost: 0 })
  })

  it('have the size that leads to the next one', async () => {
    const [template] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    const whole = kept(template, [])
    const { samples } = template
    // two that lie side by side
    const at = samples.offset.findIndex(
      (offset, row) => offset + samples.size[row] === samples.offset[row + 1],
    )
    for (const [size, lost] of [
      [samples.size[at] ^ 64, []],
      [samples.size[at] ^ 16, []],
      [samples.size[at] ^ 16, [at + 1]],
    ] as const) {
      const given = kept(template, lost)
      given.plan.table.size[at] = size
      const filled = fillRows(given, whole, ANY)
      expect(filled && rowsOf(filled)).toEqual(rowsOf(whole))
    }
  })

  it('are left alone where nothing is missing', async () => {
    const [template] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    expect(fillRows(kept(template, []), kept(template, []), ANY)).toBeUndefined()
  })
})
