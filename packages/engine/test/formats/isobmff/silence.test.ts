import { expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { movieOf, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

it('plain sound keeps its speed where more is lost behind its first run than the run holds', async () => {
  const source = fixture('h264-pcm.mov')
  const { tracks, ...plan } = wholePlan(await movieOf(source))
  const [pictures, sound] = tracks
  const first = 0
  const last = sound.table.length - 1
  expect(last).toBeGreaterThan(1)
  const table = new SampleTable()
  for (const row of [first, last]) {
    const { offset, size, count, duration } = sound.table
    const at = table.push(offset[row], size[row], count[row], duration[row], 0, sound.table.flags[row])
    table.dts[at] = sound.table.dts[row]
  }
  // as losses lengthen the row before them
  table.duration[0] = table.dts[1] - table.dts[0]
  const written = await movieOf(await write({ ...plan, tracks: [pictures, { ...sound, table }] }, source))
  const { samples } = written.tracks[1]
  const end = samples.length - 1
  expect(samples.duration[end] / samples.count[end]).toBe(1)
  expect(samples.dts[end] + samples.duration[end]).toBe(table.dts[1] + table.duration[1])
})

it('no more silence is written than the sound there is could have lost', async () => {
  const source = fixture('h264-pcm.mov')
  const movie = await movieOf(source)
  const { tracks, ...plan } = wholePlan(movie)
  const [pictures, sound] = tracks
  const table = new SampleTable()
  for (const row of [0, 1]) {
    const { offset, size, count, duration } = sound.table
    table.push(offset[row], size[row], count[row], duration[row], 0, sound.table.flags[row])
  }
  // half an hour between two pieces of a fraction of a second
  table.dts[1] = 1800 * sound.template.description.timescale
  const written = await write({ ...plan, tracks: [pictures, { ...sound, table }] }, source)
  expect(written.length).toBeLessThan(source.length * 2)
})
