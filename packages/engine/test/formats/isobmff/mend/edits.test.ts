import { expect, it } from 'vitest'
import { NORMAL_RATE } from '../../../../src/formats/isobmff/boxes/elst.ts'
import { mendEdits } from '../../../../src/formats/isobmff/mend/times/edits.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

/**
 * The durations of sound's edits, of which the first waits, where a track header and a movie header say that all last so long.
 */
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

it('the only edit, as long as the media, begins with a picture where their order is a guess', async () => {
  const { tracks, header } = await movieOf(fixture('h264-aac.mp4'))
  const [pictures] = tracks
  const ticks = pictures.samples.duration
    .subarray(0, pictures.samples.length)
    .reduce((sum, each) => sum + each, 0)
  const duration = Math.round((ticks / pictures.description.timescale) * header.timescale)
  const [each] = pictures.samples.duration
  const started = (mediaTime: number, lasting = duration) => {
    const tables = { ...pictures.tables, orderGuessed: true as const }
    const draft = { ...pictures, tables, edits: [{ duration: lasting, mediaTime, rate: NORMAL_RATE }] }
    return mendEdits(draft, header, new Findings()).edits?.[0].mediaTime
  }
  expect(started(8192)).toBe(0)
  expect(started(each ^ 16_384)).toBe(each)
  for (const start of [0, each, 3 * each]) expect(started(start)).toBe(start)
  // a part of the media may begin anywhere
  expect(started(8192, duration >> 1)).toBe(8192)
})
