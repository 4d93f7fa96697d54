import { describe, expect, it } from 'vitest'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { read, readerOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

const FRONT = fixture('h264-aac-faststart.mp4')
const BACK = fixture('h264-aac.mp4')
const SAMPLE = fixture('h264-aac-twin.mp4')

function movieBoxOf(bytes: Uint8Array) {
  const moov = readChildren(readerOf(bytes), 0, bytes.length).boxes.find(({ type }) => type === 'moov')
  if (!moov) throw new Error('no movie box')
  return moov
}

/** The recording without its file type box and `count` bytes of its movie box, which stands in front. */
function headless(count: number): Uint8Array {
  return FRONT.slice().fill(0, 0, movieBoxOf(FRONT).offset + count)
}

async function packetsOf(original: Uint8Array, bytes: Uint8Array) {
  const found = await seen(bytes)
  return (await seen(original)).map((stream) => {
    const twin = found.find(({ kind }) => kind === stream.kind)
    const { packets, timed } = recovered(stream, twin)
    return { all: stream.packets.length, packets, timed }
  })
}

describe('tracks whose movie box lost its header', () => {
  it.each([
    ['header alone', 8],
    ['and part of the movie header', 39],
    ['and the movie header', 116],
  ])('are found: %s', async (_, count) => {
    const damaged = headless(count)
    const { movie, survey } = await read(damaged)
    expect(movie?.tracks).toHaveLength(2)
    const box = movie?.box ?? { offset: 0, end: 0 }
    for (const { offset, length } of survey.payload)
      expect(offset + length <= box.offset || offset >= box.end).toBe(true)
    for (const sample of [undefined, SAMPLE]) {
      const { bytes } = await repaired(damaged, sample)
      for (const { all, packets, timed } of await packetsOf(FRONT, bytes)) {
        expect(packets).toBe(all)
        expect(timed).toBe(all)
      }
    }
  })

  it('are found where the first lost its own header, too', async () => {
    const { bytes } = await repaired(headless(130), SAMPLE)
    for (const { all, packets } of await packetsOf(FRONT, bytes)) expect(packets).toBe(all)
  })

  it('are found behind the media data', async () => {
    const moov = movieBoxOf(BACK)
    const damaged = BACK.slice().fill(0, moov.offset, moov.offset + 60)
    const { bytes } = await repaired(damaged)
    for (const { all, packets } of await packetsOf(BACK, bytes)) expect(packets).toBe(all)
  })

  it('are followed rather than what a sample finds without them', async () => {
    const { report } = await repaired(headless(39), SAMPLE)
    expect(report.strategies.map(({ name }) => name)).toContain('surviving-index')
  })

  it('are none where letters alone spell them', async () => {
    const moov = movieBoxOf(BACK)
    const damaged = BACK.slice().fill(0, moov.offset, moov.end)
    damaged.set([0, 0, 0, 64, ...Buffer.from('trak'), 0, 0, 0, 20, ...Buffer.from('tkhd')], moov.offset + 100)
    expect((await read(damaged)).movie).toBeUndefined()
  })
})
