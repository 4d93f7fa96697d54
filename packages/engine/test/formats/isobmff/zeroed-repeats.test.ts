import { expect, it } from 'vitest'
import { pcmTrack, pictureTrack } from '../../../testing/recordings/tracks.ts'
import { writeRecording } from '../../../testing/recordings/write-recording.ts'
import { movieOf, repaired } from './support/engine.ts'

it('pictures that were zeroed are lost, however like earlier ones they were', async () => {
  // the same pictures over and over, so that those before the zeros have the sizes of those that were behind
  const film = pictureTrack('h264-cavlc', 120)
  const whole = writeRecording([film, pcmTrack(20, 1600)])
  const [{ samples }] = (await movieOf(whole)).tracks
  const from = 60
  const damaged = whole.slice().fill(0, samples.offset[from], samples.offset[119] + samples.size[119])
  const { report } = await repaired(damaged)
  expect(report.findings.map(({ code }) => code)).not.toContain('isobmff.payload-shift')
  const [pictures] = report.tracks
  expect([pictures.recovered, pictures.lost]).toEqual([from, 60])
})
