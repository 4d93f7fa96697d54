import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { deduceReading } from '../../../src/formats/isobmff/ways/deduce-reading.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { amrTrack, pictureTrack } from '../../../testing/recordings/tracks.ts'
import { writeRecording } from '../../../testing/recordings/write-recording.ts'
import { read, readerOf } from './support/engine.ts'

it.each([
  [200, false],
  [180, true],
])(
  'four seconds of pictures that %i packets of sound end with tell their rate, or let it be guessed',
  async (packets, guessed) => {
    const film = writeRecording([pictureTrack('h264-cavlc', 120), amrTrack(packets, 1)])
    const lost = indexZeroed(film)
    const ground = { reader: readerOf(lost), limits: DEFAULT_LIMITS, monitor: SILENT }
    const found = await deduceReading(ground, await read(lost))
    const rate = found?.facts.find(({ what }) => what.startsWith('frame rate'))
    expect(rate?.what).toBe('frame rate 30')
    expect(rate?.guessed ?? false).toBe(guessed)
  },
)
