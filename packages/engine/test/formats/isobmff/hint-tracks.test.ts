import { describe, expect, it } from 'vitest'
import { smallRecording } from '../../../testing/recordings/catalogue.ts'
import { movieOf, repaired } from './support/engine.ts'

const NAME = 'h264-amr-hints'

describe('hint tracks of a recording whose index is lost', () => {
  it('come back whole, with all that lies between their samples, in as much time', async () => {
    const whole = smallRecording(NAME, 60, 1)
    const payload = whole.subarray(0, whole.length * 0.5)
    const { tracks } = await movieOf(whole)
    const { report, bytes } = await repaired(payload, smallRecording(NAME, 40, 2))
    const kept = tracks.map(({ samples }) => {
      let rows = 0
      while (rows < samples.length && samples.offset[rows] + samples.size[rows] <= payload.length) rows++
      return { rows, seconds: samples.dts[rows - 1] / samples.dts[samples.length - 1] }
    })
    expect(report.tracks.map(({ recovered }) => recovered)).toEqual(kept.map(({ rows }) => rows))
    const found = (await movieOf(bytes)).tracks
    for (const [i, { samples }] of found.entries()) {
      const share = samples.dts[samples.length - 1] / tracks[i].samples.dts[tracks[i].samples.length - 1]
      expect(share, `track ${i}`).toBeCloseTo(kept[i].seconds, 1)
    }
  })
})
