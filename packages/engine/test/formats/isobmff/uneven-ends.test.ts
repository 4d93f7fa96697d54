import { expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { amrTrack, pictureTrack } from '../../../testing/recordings/tracks.ts'
import { writeRecording } from '../../../testing/recordings/write-recording.ts'
import { repaired } from './support/engine.ts'

it.each([
  [200, undefined],
  [180, [DOUBT.assumed]],
])('four seconds of pictures whose rate only %i packets of sound tell', async (packets, doubts) => {
  const film = pictureTrack('h264-cavlc', 120)
  const { report } = await repaired(indexZeroed(writeRecording([film, amrTrack(packets, 1)])))
  expect(report.tracks.map(({ recovered }) => recovered)).toEqual([120, packets])
  expect(report.doubts).toEqual(doubts)
})
