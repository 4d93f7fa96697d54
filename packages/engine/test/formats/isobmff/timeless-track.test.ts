import { expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { movieOf, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { seen } from './support/packets.ts'

it('the only sample of a track, of which nobody knew how long it lasts, lasts to the end of the movie', async () => {
  const source = fixture('h264-aac.mp4')
  const { tracks, ...plan } = wholePlan(await movieOf(source))
  const [pictures, sound] = tracks
  const { table } = sound
  const single = new SampleTable()
  single.push(table.offset[0], table.size[0], 1, 0, 0, table.flags[0])
  const timeless = { ...sound, template: { ...sound.template, edits: undefined }, table: single }
  const written = await write({ ...plan, tracks: [pictures, timeless] }, source)
  const streams = await seen(written)
  const shown = streams[0].packets.reduce((sum, { duration }) => sum + duration, 0)
  expect(streams[1].packets).toHaveLength(1)
  expect(streams[1].packets[0].duration).toBeCloseTo(shown, 1)
})
