import { describe, expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { SAMPLE_DAMAGED, SampleTable } from '../../../src/model/sample-table.ts'
import { flagBlankRows } from '../../../src/recording/judge/blank-rows.ts'
import { movieOf, readerOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

/** Rows that touch each other, of these sizes. */
function tableOf(...sizes: readonly number[]): SampleTable {
  const table = new SampleTable(sizes.length)
  let at = 0
  for (const size of sizes) {
    table.push(at, size, 1, 1, table.length, 0)
    at += size
  }
  return table
}

const [{ description: H264 }] = (await movieOf(fixture('h264-aac.mp4'))).tracks
const PCM = { ...H264, codec: 'pcm', framing: 'raw' as const }

describe('zeros in pictures', () => {
  const bytes = new Uint8Array(8000).fill(7)
  bytes.fill(0, 1100, 1700)
  bytes.fill(0, 4700, 5300)

  it('damage the picture that holds enough of them', () => {
    const table = tableOf(1000, 2000, 2000, 3000)
    expect(flagBlankRows(readerOf(bytes), H264, table)).toEqual([1])
    expect([...table.flags.subarray(0, 4)]).toEqual([0, SAMPLE_DAMAGED, 0, 0])
    expect(flagBlankRows(readerOf(bytes), H264, table)).toEqual([])
  })

  it('are looked for where none were seen in passing only outside of what passed', () => {
    const passed = { regions: [{ offset: 0, length: 4000 }], zeros: [] }
    expect(flagBlankRows(readerOf(bytes), H264, tableOf(1000, 3000, 4000), passed)).toEqual([2])
  })

  it('are no damage to codecs that write them', () => {
    expect(flagBlankRows(readerOf(bytes), PCM, tableOf(8000))).toEqual([])
  })
})

describe('a file without an index whose picture was hit by zeros', async () => {
  const whole = fixture('h264-aac.mp4')
  const [{ samples }] = (await movieOf(whole)).tracks
  const row = samples.size.subarray(0, samples.length).indexOf(Math.max(...samples.size))
  const damaged = indexZeroed(whole)
  damaged.fill(0, samples.offset[row] + 700, samples.offset[row] + 1300)

  it('is said to have a damaged one, with its place', async () => {
    const { report } = await repaired(damaged, whole)
    const [video] = report.tracks
    expect(video.damaged).toBe(1)
    expect(video.ranges.find(({ state }) => state === 'damaged')).toMatchObject({
      offset: samples.offset[row],
      length: samples.size[row],
    })
  })

  it('is rid of it where that is asked for', async () => {
    const { report } = await repaired(damaged, whole, { damagedFrames: 'drop' })
    const [video] = report.tracks
    expect(video.damaged).toBe(0)
    expect(video.lost).toBe(1)
    expect(video.recovered).toBe(samples.length - 1)
  })
})
