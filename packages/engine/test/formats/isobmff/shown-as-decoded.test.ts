import { expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { movieOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { rewritten, times } from './support/movie-boxes.ts'

/**
 * A film whose writer says of no picture that it is shown in another turn than it is decoded in, though pictures number
 * themselves so.
 */
function unordered(film: Uint8Array): Uint8Array {
  return rewritten(film, [
    [
      'moov/trak/mdia/minf/stbl/ctts',
      (view) => {
        for (let run = 0; run < view.getUint32(4); run++) view.setUint32(12 + run * 8, 0)
      },
    ],
    ['moov/trak/edts/elst', (view, track) => view.setUint32(12, track === 0 ? 0 : view.getUint32(12))],
  ])
}

it.each(['h264-aac.mp4', 'hevc-aac.mp4'] as const)(
  'pictures are shown as they are decoded where the sample shows its own so: %s',
  async (name) => {
    const film = unordered(fixture(name))
    const [pictures] = (await movieOf(film)).tracks
    const { report, bytes } = await repaired(indexZeroed(film), film)
    expect(report.verdict).toBe('repaired')
    const [found] = (await movieOf(bytes)).tracks
    expect(times(found)).toEqual(times(pictures))
    expect(found.tables.compositions).toBeUndefined()
  },
)

it('what a hole took of them lies where it is', async () => {
  const film = unordered(fixture('h264-aac.mp4'))
  const [pictures] = (await movieOf(film)).tracks
  const { samples } = pictures
  const damaged = indexZeroed(film)
  const hit = samples.length >> 1
  damaged.fill(0, samples.offset[hit], samples.offset[hit] + samples.size[hit])
  const { bytes } = await repaired(damaged, film, { damagedFrames: 'drop' })
  const [found] = (await movieOf(bytes)).tracks
  const shown = times(found)
  expect(shown.slice(0, hit)).toEqual(times(pictures).slice(0, hit))
  expect(shown.slice(-10)).toEqual(times(pictures).slice(-10))
})

it('pictures are shown in the order they tell where the sample shows its own so', async () => {
  const film = fixture('h264-aac.mp4')
  const { bytes } = await repaired(indexZeroed(film), film)
  const [found] = (await movieOf(bytes)).tracks
  expect(found.tables.compositions).toBeDefined()
  expect(new Set(found.samples.cts.subarray(0, found.samples.length)).size).toBeGreaterThan(1)
})
