import { describe, expect, it } from 'vitest'
import { MemorySource } from '../../../src/bytes/source.ts'
import { readPictures } from '../../../src/engine.ts'
import { noise } from '../../../testing/video/replay.ts'
import { movieOf } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'

const read = (bytes: Uint8Array) => readPictures({ file: { source: new MemorySource(bytes), name: 'a.mp4' } })

describe('pictures read to their last bit', () => {
  it('are all whole in a healthy file', async () => {
    const [track] = await read(fixture(HEVC))
    expect(track?.pictures).toBeGreaterThan(8)
    expect(track?.torn).toEqual([])
  })

  it('tell when the one is shown that was hit inside', async () => {
    const bytes = fixture(HEVC).slice()
    const [video] = (await movieOf(bytes)).tracks.filter(({ description }) => description.kind === 'video')
    if (!video) throw new Error('no pictures')
    const { samples, description } = video
    const row =
      [...samples.size.subarray(0, samples.length).keys()].find((at) => at > 4 && samples.size[at] > 300) ?? 0
    bytes.set(noise(40, 3), samples.offset[row] + (samples.size[row] >> 1))
    const [track] = await read(bytes)
    const times = Array.from({ length: samples.length }, (_, at) => samples.dts[at] + samples.cts[at])
    const start = ((times[row] ?? 0) - Math.min(...times)) / description.timescale
    expect(track?.torn).toHaveLength(1)
    expect(track?.torn[0]?.start).toBeCloseTo(start, 6)
  })

  it('are none where the codec cannot be read, or nothing is a recording', async () => {
    expect(await read(new Uint8Array(400).fill(7))).toEqual([])
  })
})

const HEVC: FixtureName = 'hevc-aac.mp4'
