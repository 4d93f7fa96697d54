import { describe, expect, it } from 'vitest'
import { NORMAL_RATE } from '../../../../src/formats/isobmff/boxes/elst.ts'
import { movieOf, repaired, wholePlan, write } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'
import { movieBoxes, rewritten } from '../support/movie-boxes.ts'

/** A rate of pictures whose ticks those of sound have no usual multiple of. */
const PICTURE_SCALE = 12_810
const SOUND_SCALE = 48_000
const COMMON_SCALE = 20_496_000
/** Sound begins that many seconds late. */
const WAIT = 0.25

/**
 * A film whose lengths are counted in ticks of `scale`, all of them `times` as long as they should be, with a movie header of
 * zeros.
 */
async function headless(scale: number, times = 1): Promise<Uint8Array> {
  const source = fixture('h264-aac.mp4')
  const { movie, tracks } = wholePlan(await movieOf(source))
  const { header } = movie
  const wait = { duration: Math.round(scale * WAIT), mediaTime: -1, rate: NORMAL_RATE }
  const late = tracks.map((track, index) => {
    const { edits } = track.template
    const shown = (edits ?? []).map((edit) => ({
      ...edit,
      duration: Math.round((edit.duration / header.timescale) * scale),
    }))
    return { ...track, template: { ...track.template, edits: index === 1 ? [wait, ...shown] : shown } }
  })
  const film = await write(
    { movie: { ...movie, header: { ...header, timescale: scale } }, tracks: late },
    source,
  )
  const longer = (view: DataView, at: number): void => view.setUint32(at, view.getUint32(at) * times)
  const bytes = rewritten(film, [
    ['moov/trak/mdia/mdhd', (view, track) => track === 0 && view.setUint32(12, PICTURE_SCALE)],
    ['moov/trak/tkhd', (view) => longer(view, 20)],
    ['moov/trak/edts/elst', (view, track) => longer(view, track === 0 ? 8 : 20)],
  ])
  const lost = movieBoxes(bytes).find(({ path }) => path === 'moov/mvhd')
  if (!lost) throw new Error('no movie header')
  return bytes.fill(0, lost.box.offset, lost.box.end)
}

describe('the time scale of a movie whose header is lost', () => {
  it('is one that the ticks of all tracks divide', async () => {
    const { header, tracks } = await movieOf(await headless(COMMON_SCALE))
    expect(tracks.map(({ mediaHeader }) => mediaHeader.timescale)).toEqual([PICTURE_SCALE, SOUND_SCALE])
    expect(header.timescale).toBe(COMMON_SCALE)
  })

  it('leaves a doubt of times where a track waits and no scale agrees with the lengths', async () => {
    const told = await repaired(await headless(COMMON_SCALE))
    expect(told.report.verdict).toBe('repaired')
    const untold = await repaired(await headless(COMMON_SCALE, 0.37))
    expect(untold.report.doubts?.map(({ code }) => code)).toContain('times')
  })
})
