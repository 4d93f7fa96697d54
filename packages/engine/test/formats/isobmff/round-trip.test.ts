import { describe, expect, it } from 'vitest'
import type { SampleTable } from '../../../src/model/sample-table.ts'
import { movieOf, wholePlan, write } from './support/engine.ts'
import { FIXTURES, fixture } from './support/fixtures.ts'
import { contents, seen } from './support/packets.ts'

function rows(table: SampleTable): unknown[] {
  return Array.from({ length: table.length }, (_, row) => [
    table.size[row],
    table.count[row],
    table.dts[row],
    table.cts[row],
    table.duration[row],
    table.flags[row],
  ])
}

describe.each(FIXTURES)('%s read and written again', (name) => {
  it('keeps every sample with its bytes, times and key mark', async () => {
    const source = fixture(name)
    const before = await movieOf(source)
    const bytes = await write(wholePlan(before), source)
    const after = await movieOf(bytes)
    expect(after.tracks.length).toBe(before.tracks.length)
    for (const [i, track] of before.tracks.entries()) {
      const { samples } = after.tracks[i]
      if (track.layout.rows === 'samples') expect(rows(samples)).toEqual(rows(track.samples))
      expect(after.tracks[i].sampleDescription).toEqual(track.sampleDescription)
      expect(after.tracks[i].description).toEqual(track.description)
      for (let row = 0; row < samples.length && track.layout.rows === 'samples'; row++) {
        const from = track.samples.offset[row]
        const to = samples.offset[row]
        const size = samples.size[row]
        expect(bytes.subarray(to, to + size)).toEqual(source.subarray(from, from + size))
      }
    }
  })

  it('shows an independent demultiplexer the same packets at the same times', async () => {
    const source = fixture(name)
    const bytes = await write(wholePlan(await movieOf(source)), source)
    const before = await seen(source)
    const after = await seen(bytes)
    for (const stream of before) {
      const twin = after.find(({ index }) => index === stream.index)
      if (!twin) throw new Error(`stream ${stream.index} is missing`)
      expect(contents(twin)).toEqual(contents(stream))
    }
  })

  it('has its index in front of its media', async () => {
    const source = fixture(name)
    const bytes = await write(wholePlan(await movieOf(source)), source)
    const text = Buffer.from(bytes.buffer).toString('latin1')
    expect(text.indexOf('moov')).toBeLessThan(text.indexOf('mdat'))
    expect(text.indexOf('moov')).toBeGreaterThan(0)
  })

  it('written twice gives the same bytes', async () => {
    const source = fixture(name)
    const once = await write(wholePlan(await movieOf(source)), source)
    const twice = await write(wholePlan(await movieOf(once)), once)
    expect(twice).toEqual(once)
  })
})
