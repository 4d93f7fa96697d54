import { expect, it } from 'vitest'
import { NORMAL_RATE } from '../../../../src/formats/isobmff/boxes/elst.ts'
import { mendEdits } from '../../../../src/formats/isobmff/mend/times/edits.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

/** The durations of sound's edits, of which the first waits, where a track header and a movie header say that all last so long. */
async function mended(edits: readonly [number, number], track: number, movie: number) {
  const { tracks, header } = await movieOf(fixture('h264-aac.mp4'))
  const [, sound] = tracks
  const [wait, shown] = edits
  const draft = {
    ...sound,
    header: { ...sound.header, duration: track },
    edits: [
      { duration: wait, mediaTime: -1, rate: NORMAL_RATE },
      { duration: shown, mediaTime: 0, rate: NORMAL_RATE },
    ],
  }
  return mendEdits(draft, { ...header, duration: movie }, new Findings()).edits?.map(
    ({ duration }) => duration,
  )
}

it('edits that last as long as the movie stay as they are where a bit of the track header was flipped', async () => {
  expect(await mended([67, 1022], 1089 + 512, 1089)).toEqual([67, 1022])
})

it('a flipped bit of a wait is mended where both headers say so', async () => {
  expect(await mended([67 + 512, 1022], 1089, 1089)).toEqual([67, 1022])
})

it('a wait does not become longer than the movie for a flipped bit of the track header', async () => {
  expect(await mended([67, 1022], 1089 + 2 ** 28, 1095)).toEqual([67, 1022])
})
