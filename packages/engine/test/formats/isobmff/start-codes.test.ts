import { expect, it } from 'vitest'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { movieOf, repaired, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const { bytes: stream, packets } = streamFixture('h264-start-codes')

/** A film of pictures behind start codes, without a configuration, its index in front: cut behind `left` bytes of pictures. */
async function film(left: number): Promise<Uint8Array> {
  const movie = await movieOf(fixture('h264-aac.mp4'))
  const [template] = movie.tracks
  const table = new SampleTable()
  for (const [i, { offset, size }] of packets.entries()) {
    const row = table.push(offset, size, 1, 512, i, i === 0 ? SAMPLE_KEY : 0)
    table.dts[row] = i * 512
  }
  const bytes = Buffer.from(await write({ movie, tracks: [{ template, table, times: 'index' }] }, stream))
  bytes.write('free', bytes.indexOf('avcC'))
  const media = bytes.indexOf('mdat')
  expect(media).toBeGreaterThan(bytes.indexOf('moov'))
  return Uint8Array.from(bytes.subarray(0, media + 4 + left))
}

it('a picture behind start codes that the end of the media cuts is kept, and said to be damaged', async () => {
  const ends = packets.map((_, i) => packets.slice(0, i + 1).reduce((sum, { size }) => sum + size, 0))
  const row = packets.length - 2
  const outcome = async (left: number) => {
    const { report } = await repaired(await film(left))
    return report.tracks.map(({ recovered, damaged }) => [recovered, damaged])
  }
  expect(await outcome(ends[row])).toEqual([[row + 1, 0]])
  expect(await outcome(ends[row] - 30)).toEqual([[row, 1]])
  expect(await outcome(ends[row - 1])).toEqual([[row, 0]])
})
