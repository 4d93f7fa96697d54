import { describe, expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { DOUBT } from '../../../src/formats/isobmff/recovery.ts'
import { movieOf, repaired, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

/** Pictures and two tracks of sound, and the same with the first of these alone. */
const TWO = await firstTracks(fixture('h264-two-aac.mov'), 3)
const ONE = await firstTracks(TWO, 2)

/** A recording with the first tracks only, their bytes laid out as before. */
async function firstTracks(bytes: Uint8Array, count: number): Promise<Uint8Array> {
  const plan = wholePlan(await movieOf(bytes))
  return write({ ...plan, tracks: plan.tracks.slice(0, count) }, bytes)
}

/** Packets of each stream of the original that a repaired file lacks, or has at another time. */
async function faults(original: Uint8Array, bytes: Uint8Array): Promise<number[]> {
  const found = await seen(bytes)
  const streams = await seen(original)
  expect(found.length).toBe(streams.length)
  return streams.map((stream, i) => stream.packets.length - recovered(stream, found[i]).timed)
}

describe('tracks of sound that look alike', () => {
  it('are as many as come with each picture, where the sample has fewer', async () => {
    const { report, bytes } = await repaired(indexZeroed(TWO), ONE)
    expect(await faults(TWO, bytes)).toEqual([0, 0, 0])
    expect(report.doubts).toContain(DOUBT.further)
    expect(report.findings.some(({ message }) => message.startsWith('2 tracks of sound, aac'))).toBe(true)
  })

  it('are as many as come with each picture, where the sample has more', async () => {
    const { report, bytes } = await repaired(indexZeroed(ONE), TWO)
    expect(await faults(ONE, bytes)).toEqual([0, 0])
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toContain('isobmff.track-absent')
  })

  it('are the sample’s where it has as many', async () => {
    const { report, bytes } = await repaired(indexZeroed(TWO), TWO)
    expect(await faults(TWO, bytes)).toEqual([0, 0, 0])
    expect(report.verdict).toBe('repaired')
  })

  it('are told apart without a sample, which is an assumption', async () => {
    const { report, bytes } = await repaired(indexZeroed(TWO))
    const found = await seen(bytes)
    const streams = await seen(TWO)
    const missing = streams.map((stream, i) => stream.packets.length - recovered(stream, found[i]).packets)
    expect(missing).toEqual([0, 0, 0])
    expect(report.doubts).toContain(DOUBT.assumed)
  })
})

describe('a sample with two tracks of packets without a length', () => {
  it('serves a file with one, or two: pictures are found', async () => {
    const one = fixture('h264-opus.mp4')
    const plan = wholePlan(await movieOf(one))
    const [pictures, sound] = plan.tracks
    const { header, description } = sound.template
    const template = {
      ...sound.template,
      header: { ...header, id: 3 },
      description: { ...description, id: 3 },
    }
    const two = await write({ ...plan, tracks: [pictures, sound, { ...sound, template }] }, one)
    for (const film of [one, two]) {
      const { bytes } = await repaired(indexZeroed(film), two)
      const [found] = await seen(bytes)
      const [stream] = await seen(film)
      expect(recovered(stream, found).packets).toBe(stream.packets.length)
    }
  })
})
