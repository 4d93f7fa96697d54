import { describe, expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { firstComposition, planEdits, shownFrom } from '../../../src/formats/isobmff/write/plan-edits.ts'
import { planTimes } from '../../../src/formats/isobmff/write/plan-times.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { movieOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

/** Ticks that each track's edit list skips before its first picture or sound. */
async function skipped(bytes: Uint8Array): Promise<number[]> {
  return (await movieOf(bytes)).tracks.map((track) => {
    const first = track.edits?.find(({ mediaTime }) => mediaTime >= 0)
    return (first?.mediaTime ?? 0) - firstComposition(track)
  })
}

describe('what a camera skips of its recording’s start', () => {
  it.each(['h264-aac.mp4', 'h264-aac-faststart.mp4'] as const)(
    'is skipped when the index is lost, wherever it lay: %s',
    async (name) => {
      const original = fixture(name)
      const expected = await skipped(original)
      expect(expected).toEqual([0, 1024])
      const { bytes } = await repaired(indexZeroed(original), original)
      expect(await skipped(bytes)).toEqual(expected)
    },
  )

  it('hides no more pictures than it did in the sample, whose pictures came slower', async () => {
    const [pictures] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    const { samples, description } = pictures
    const [open] = pictures.edits ?? []
    const frame = samples.duration[0]
    const template = { ...pictures, edits: [{ ...open, mediaTime: firstComposition(pictures) + 3 * frame }] }
    const table = new SampleTable(samples.length)
    for (let row = 0; row < samples.length; row++) {
      const at = table.push(samples.offset[row], samples.size[row], 1, frame / 2, row, samples.flags[row])
      table.dts[at] = (row * frame) / 2
      table.cts[at] = samples.cts[row] / 2
    }
    const track = { template, table, times: 'carved' as const }
    const seconds = (3 * frame) / 2 / description.timescale
    expect(shownFrom(track, planTimes(track))).toBeCloseTo(-seconds, 6)
  })

  it('is what the recording’s own edit list says, where that is left', async () => {
    const [pictures] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    const track = { template: pictures, table: pictures.samples, times: 'carved' as const, skips: 1.5 }
    expect(shownFrom(track, planTimes(track))).toBeCloseTo(-1.5, 6)
  })
})

it('an edit lasts no longer than the media that is left', async () => {
  const movie = await movieOf(fixture('h264-aac.mp4'))
  const [pictures] = movie.tracks
  const [edit] = pictures.edits ?? []
  const template = { ...pictures, edits: [{ ...edit, duration: edit.duration * 10 }] }
  const track = { template, table: pictures.samples, times: 'index' as const }
  const times = planTimes(track)
  const left = (times.compositionEnd - edit.mediaTime) / pictures.description.timescale
  expect(planEdits(track, times, movie.header.timescale, 0)).toEqual([
    { ...edit, duration: Math.round(left * movie.header.timescale) },
  ])
})
