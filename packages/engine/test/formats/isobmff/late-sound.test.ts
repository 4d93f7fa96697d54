import { expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { movieOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes } from './support/movie-boxes.ts'
import { seen } from './support/packets.ts'

/** Packets of sound lost with what lies around them, a fifth of a second. */
const LOST = 10

/** By how many seconds the sound that is found is later against the pictures than it was. */
async function late(original: Uint8Array, bytes: Uint8Array): Promise<number> {
  const [before, after] = [await seen(original), await seen(bytes)]
  const moved = (kind: string): number => {
    const packets = (streams: typeof before) => streams.find((stream) => stream.kind === kind)?.packets ?? []
    const last = packets(after).at(-1)
    const twin = packets(before).find(({ md5 }) => md5 === last?.md5)
    return (last?.pts ?? Number.NaN) - (twin?.pts ?? Number.NaN)
  }
  return moved('audio') - moved('video')
}

it('sound whose beginning is lost behind the first pictures keeps its time without a sample', async () => {
  const original = fixture('h264-aac.mp4')
  const [film, sound] = (await movieOf(original)).tracks.map(({ samples }) => samples)
  const from = sound.offset[0]
  expect(film.offset[0]).toBeLessThan(from)
  const damaged = indexZeroed(original).fill(0, from, sound.offset[LOST])
  const { bytes } = await repaired(damaged)
  expect(Math.abs(await late(original, bytes))).toBeLessThan(0.05)
})

/** The first edit of the pictures, in a movie whose tracks have one each, shows the media from `seconds` on. */
function trimmed(bytes: Uint8Array, seconds: number, timescale: number): Uint8Array {
  const copy = bytes.slice()
  const { box } = movieBoxes(copy).filter(({ box }) => box.type === 'elst')[0]
  const view = new DataView(copy.buffer)
  view.setUint32(box.offset + 20, view.getUint32(box.offset + 20) + seconds * timescale)
  return copy
}

it.each([
  [0.25, []],
  [0.75, ['times']],
])(
  'a sample whose pictures an edit list trims by %f s says how far apart others are up to half a second',
  async (seconds, doubts) => {
    const original = fixture('h264-aac.mp4')
    const { timescale } = (await movieOf(original)).tracks[0].description
    const { report } = await repaired(indexZeroed(original), trimmed(original, seconds, timescale))
    expect(report.doubts?.map(({ code }) => code) ?? []).toEqual(doubts)
  },
)
