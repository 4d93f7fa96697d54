import { expect, it } from 'vitest'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { movieOf, readerOf, repaired, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes, rewritten } from './support/movie-boxes.ts'

/** The film with the last picture before one in its middle, behind which all others are shown, decoded as long as eight. */
async function halting(): Promise<Uint8Array> {
  const bytes = fixture('h264-aac.mp4')
  const movie = await movieOf(bytes)
  const { samples, mediaHeader } = movie.tracks[0]
  const times = Array.from(samples.dts.subarray(0, samples.length), (time, at) => time + samples.cts[at])
  const row = times.findIndex(
    (_, at) => at >= 20 && Math.max(...times.slice(0, at + 1)) < Math.min(...times.slice(at + 1)),
  )
  const extra = samples.duration[row] * 7
  samples.duration[row] += extra
  for (let later = row + 1; later < samples.length; later++) samples.dts[later] += extra
  const [pictures, ...others] = movie.tracks
  const longer = { ...pictures, mediaHeader: { ...mediaHeader, duration: mediaHeader.duration + extra } }
  return write(wholePlan({ ...movie, tracks: [longer, ...others] }), bytes)
}

/** A file whose movie box comes first with it as its last. */
function movieLast(bytes: Uint8Array): Uint8Array {
  const movie = readChildren(readerOf(bytes), 0, bytes.length).boxes.find(({ type }) => type === 'moov')
  if (!movie) throw new Error('no movie box')
  const moved = rewritten(bytes, [
    [
      'moov/trak/mdia/minf/stbl/stco',
      (view) => {
        for (let at = 8; at < view.byteLength; at += 4) view.setUint32(at, view.getUint32(at) - movie.size)
      },
    ],
  ])
  const [front, own, rest] = [
    moved.subarray(0, movie.offset),
    moved.subarray(movie.offset, movie.end),
    moved.subarray(movie.end),
  ]
  return concat([front, rest, own])
}

/** When pictures are shown, in ticks from the first on. */
async function shown(bytes: Uint8Array): Promise<number[]> {
  const [{ samples }] = (await movieOf(bytes)).tracks
  const times = Array.from(samples.dts.subarray(0, samples.length), (time, row) => time + samples.cts[row])
  const first = Math.min(...times)
  return times.map((time) => time - first)
}

it('pictures found beyond the places that an index names are shown when its other tables say', async () => {
  const original = movieLast(await halting())
  const places = movieBoxes(original).find(({ path }) => path.endsWith('/stco'))?.box
  if (!places) throw new Error('no places')
  const cut = original.subarray(0, (places.offset + places.end) >> 1)
  const { report, bytes } = await repaired(cut, fixture('h264-aac.mp4'))
  expect(await shown(bytes)).toEqual(await shown(original))
  expect(report.verdict).toBe('repaired')
})
