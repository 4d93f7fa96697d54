import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { readFile } from '../../../src/formats/isobmff/read/read.ts'
import { Findings } from '../../../src/model/finding.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SAMPLE_KEY } from '../../../src/model/sample-table.ts'
import { explainsPayload } from '../../../src/recording/judge/explained-share.ts'
import { readBox } from '../../../src/syntax/iso-boxes/box.ts'
import { movieOf, readerOf, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes } from './support/movie-boxes.ts'

describe('payload that nothing explains', () => {
  it('may be half a per cent of a repair that is complete, and no more', () => {
    const payload = [
      { offset: 8, length: 600 },
      { offset: 9000, length: 400 },
    ]
    expect(explainsPayload(5, payload)).toBe(true)
    expect(explainsPayload(6, payload)).toBe(false)
  })
})

describe('limits', () => {
  it('of tracks are kept', async () => {
    const limits = { ...DEFAULT_LIMITS, tracks: 1 }
    const { movie } = await readFile(readerOf(fixture('h264-two-aac.mov')), limits, new Findings(), SILENT)
    expect(movie?.tracks).toHaveLength(1)
  })
})

describe('a box of 64-bit size', () => {
  const box = (size: number): Uint8Array =>
    Uint8Array.from([0, 0, 0, 1, 109, 100, 97, 116, 0, 0, 0, 0, 0, 0, 0, size])

  it('is none where it is smaller than its own header', () => {
    expect(readBox(readerOf(box(16)), 0, 16)).toMatchObject({ form: '64', size: 16 })
    expect(readBox(readerOf(box(15)), 0, 16)).toBeUndefined()
  })
})

describe('a movie that is written', () => {
  it('lets players start at its first picture where none is a key', async () => {
    const source = fixture('h264-aac.mp4')
    const movie = await movieOf(source)
    const { samples } = movie.tracks[0]
    for (let row = 0; row < samples.length; row++) samples.flags[row] &= ~SAMPLE_KEY
    const [pictures] = (await movieOf(await write(wholePlan(movie), source))).tracks
    const keys = Array.from(
      pictures.samples.flags.subarray(0, pictures.samples.length),
      (flags) => flags & SAMPLE_KEY,
    )
    expect(keys.map((key, row) => (key ? row : -1)).filter((row) => row >= 0)).toEqual([0])
  })

  it('shows pictures as long before they are decoded as the index had them', async () => {
    const source = fixture('h264-aac.mp4')
    const movie = await movieOf(source)
    const [track] = movie.tracks
    const { samples, tables } = track
    if (!tables.compositions) throw new Error('no composition offsets')
    for (let row = 0; row < samples.length; row++) samples.cts[row] -= 1024
    const early = {
      ...track,
      tables: { ...tables, compositions: { ...tables.compositions, version: 1 as const } },
    }
    const plan = wholePlan({ ...movie, tracks: [early, ...movie.tracks.slice(1)] })
    const bytes = await write(plan, source)
    const [written] = movieBoxes(bytes).filter(({ box }) => box.type === 'ctts')
    // version 0 has offsets without a sign, ISO/IEC 14496-12:2022 §8.6.1.3
    expect(bytes[(written?.box.offset ?? 0) + 8]).toBe(1)
    const [pictures] = (await movieOf(bytes)).tracks
    const shown = ({ cts, length }: typeof samples): number[] => [...cts.subarray(0, length)]
    expect(shown(pictures.samples)).toEqual(shown(samples))
    expect(Math.min(...shown(samples))).toBeLessThan(0)
  })
})
