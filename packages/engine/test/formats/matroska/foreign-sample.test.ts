import { expect, it } from 'vitest'
import * as ids from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { headLost } from '../../../src/formats/matroska/recipes.ts'
import { element, text, unsigned } from '../../../src/syntax/ebml/write.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { framesOf, remade } from './support/remade.ts'

const whole = fixtureOf(matroska, 'mkv-h264-aac')

/** A sample whose only track has another number, or is of a codec that is not read here. */
const other = (number: number): Promise<Uint8Array> =>
  remade(whole, {
    entries: () => [
      element(
        ids.TRACK_ENTRY,
        unsigned(ids.TRACK_NUMBER, number),
        unsigned(ids.TRACK_UID, number),
        unsigned(ids.TRACK_TYPE, 1),
        text(ids.CODEC_ID, 'V_FFV1'),
        element(ids.VIDEO, unsigned(ids.PIXEL_WIDTH, 64), unsigned(ids.PIXEL_HEIGHT, 64)),
      ),
    ],
  })

it.each([1, 9])(
  'a sample of another program, with a track %i, costs nothing that frames tell',
  async (number) => {
    const alone = await repairRecording(headLost(whole), 'mkv')
    const { report, bytes } = await repairRecording(headLost(whole), 'mkv', await other(number))
    expect(report.tracks.map(({ codec }) => codec)).toEqual(['h264', 'aac'])
    expect(await framesOf(bytes)).toEqual(await framesOf(alone.bytes))
  },
)
