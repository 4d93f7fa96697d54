import { describe, expect, it } from 'vitest'
import { blocksLost, truncated } from '../../../src/bytes/damage.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { profile } from '../../../src/engine.ts'
import { indexNeverWritten, indexZeroed, payload } from '../../../src/formats/isobmff/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { diagnosed, movieOf, repaired } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

const RECORDINGS = ['h264-aac.mp4', 'h264-aac-faststart.mp4', 'h264-aac-fragmented.mp4'] as const

/** Packets and pictures of the original that are in the repaired file, and how many there are, by stream. */
async function kept(name: FixtureName, bytes: Uint8Array) {
  const whole = await seen(fixture(name), true)
  const found = await seen(bytes, true)
  return whole.map((stream) => {
    const twin = found.find(({ kind, codec }) => kind === stream.kind && codec === stream.codec)
    const pictures = new Set(twin?.frames.map(({ md5 }) => md5))
    return {
      ...recovered(stream, twin),
      all: stream.packets.length,
      pictures: stream.frames.filter(({ md5 }) => pictures.has(md5)).length,
      allPictures: stream.frames.length,
    }
  })
}

describe.each(RECORDINGS)('%s with its index zeroed and no sample', (name) => {
  it('comes back with every packet at its time and every picture as it was', async () => {
    const { report, bytes } = await repaired(indexZeroed(fixture(name)))
    expect(report.verdict).toBe('repaired')
    for (const stream of await kept(name, bytes)) {
      expect(stream).toMatchObject({ packets: stream.all, timed: stream.all, pictures: stream.allPictures })
    }
    expect((await diagnosed(bytes)).healthy).toBe(true)
  })

  it('tells in the report what the facts rest on', async () => {
    const { report } = await repaired(indexZeroed(fixture(name)))
    expect(report.strategies.map((strategy) => strategy.name)).toContain('deduce')
    expect(report.findings.some(({ code }) => code === 'isobmff.deduced')).toBe(true)
    expect(report.sample).toBeUndefined()
  })

  it('is diagnosed as needing no sample, or only helped by one', async () => {
    const { sample } = await diagnosed(indexZeroed(fixture(name)))
    expect(sample).not.toBe('required')
  })
})

describe('several damages at once, and no sample', () => {
  it('a truncated recording without an index keeps what is wholly there', async () => {
    const original = fixture('h264-aac.mp4')
    const damaged = truncated(indexNeverWritten(original), 0.7)
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).not.toBe('unrepairable')
    const whole = await seen(original)
    const found = await seen(bytes)
    for (const stream of whole) {
      const there = stream.packets.filter(({ position, size }) => position + size <= damaged.length).length
      const twin = found.find(({ kind }) => kind === stream.kind)
      expect(recovered(stream, twin).packets).toBeGreaterThanOrEqual(there - 1)
    }
  })

  it('lost blocks cost what they hit, and no more than a few neighbours', async () => {
    const original = fixture('h264-aac.mp4')
    const { report, bytes } = await repaired(
      indexZeroed(blocksLost(original, 2, 512, false, 5, payload(original))),
    )
    expect(report.verdict).not.toBe('unrepairable')
    for (const stream of await kept('h264-aac.mp4', bytes)) {
      expect(stream.packets).toBeGreaterThan(stream.all * 0.85)
    }
  })
})

describe('a recording that does not tell what it is', () => {
  it('is refused with the plain reason, and nothing is written', async () => {
    const bytes = indexZeroed(fixture('h264-aac.mp4'))
    let state = 3
    for (let i = 40; i < bytes.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
      bytes[i] = state >> 16
    }
    const { report, bytes: output } = await repaired(bytes)
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toMatch(/a sample from the same camera is needed/)
    expect(output.length).toBe(0)
    expect((await diagnosed(bytes)).sample).toBe('required')
  })
})

describe('the profile of a camera', () => {
  const request = (bytes: Uint8Array) => ({
    file: { source: new MemorySource(bytes), name: 'film.mp4' },
    name: 'Test Camera 3',
  })

  it('is made of a healthy recording, holds its facts and nothing of its content', async () => {
    const original = fixture('h264-aac.mp4')
    const made = await profile(request(original))
    if ('reason' in made) throw new Error(made.reason)
    expect(made.fileName).toBe('test-camera-3.ts')
    expect(made.text).toContain('export const testCamera3: CameraProfile')
    expect(made.text).toContain("about: 'h264, 128x72'")
    expect(made.text).toContain("about: 'aac, 48000 Hz, 2 channels'")
    const hex = Buffer.from(original).toString('hex')
    const media = hex.indexOf(Buffer.from('mdat').toString('hex')) + 8
    expect(made.text).not.toContain(hex.slice(media + 64, media + 96))
  })

  it('is not made of a damaged recording', async () => {
    expect(await profile(request(indexZeroed(fixture('h264-aac.mp4'))))).toHaveProperty('reason')
    expect(await profile(request(truncated(fixture('h264-aac-faststart.mp4'), 0.7)))).toHaveProperty('reason')
  })
})

/** The pictures of a ProRes film alone, that state a rate by its code (SMPTE RDD 36 Table 7), with boxes behind them. */
async function picturesAlone(rateCode: number, behind: Uint8Array = new Uint8Array(0)) {
  const whole = fixture('prores-pcm.mov')
  const movie = await movieOf(whole)
  const samples = movie.tracks.find(({ description }) => description.kind === 'video')?.samples
  const pictures = Array.from({ length: samples?.length ?? 0 }, (_, row) => {
    const picture = whole.slice(samples?.offset[row], (samples?.offset[row] ?? 0) + (samples?.size[row] ?? 0))
    picture[8 + 13] = (picture[8 + 13] & 0xf0) | rateCode
    return picture
  })
  const length = pictures.reduce((sum, picture) => sum + picture.length, 8)
  const header = new Uint8Array([length >>> 24, length >>> 16, length >>> 8, length, ...Buffer.from('mdat')])
  return { pictures, damaged: Buffer.concat([whole.subarray(0, 20), header, ...pictures, behind]) }
}

/** The movie box of the film with every sample table zeroed: its header says that it lasts a share of what it did. */
async function headersAlone(share: number): Promise<Uint8Array> {
  const whole = fixture('prores-pcm.mov')
  const { box } = await movieOf(whole)
  const movie = Buffer.from(whole.slice(box.offset, box.end))
  for (let at = movie.indexOf('stbl'); at >= 0; at = movie.indexOf('stbl', at))
    movie.fill(0, at, at - 4 + movie.readUInt32BE(at - 4))
  const duration = movie.indexOf('mvhd') + 20
  movie.writeUInt32BE(movie.readUInt32BE(duration) * share, duration)
  return movie
}

describe('pictures without sound that state their rate, which nothing else does', () => {
  const AT_25 = 3

  it('come back at it, in doubt: files exist that play otherwise', async () => {
    const { pictures, damaged } = await picturesAlone(AT_25)
    const { report, bytes } = await repaired(damaged)
    const movie = await movieOf(bytes)
    const [{ samples, description }] = movie.tracks
    expect(samples.length).toBe(pictures.length)
    expect(description.timescale / samples.duration[0]).toBe(25)
    expect(report.verdict).toBe('partial')
    expect(report.doubts).toEqual([DOUBT.statedRate])
  })

  it('are sure of it where the movie says that it lasts as long, and not where it says otherwise', async () => {
    // the film itself has ten pictures a second
    const doubts = async (share: number): Promise<readonly string[]> => {
      const { damaged } = await picturesAlone(AT_25, await headersAlone(share))
      const { report } = await repaired(damaged)
      return (report.doubts ?? []).map(({ code }) => code)
    }
    expect(await doubts(0.4)).not.toContain('stated-rate')
    expect(await doubts(1)).toContain('stated-rate')
  })
})

describe('pictures without sound that tell no rate', () => {
  it('come back, and nobody calls that complete', async () => {
    const { pictures, damaged } = await picturesAlone(0)
    const { report } = await repaired(damaged)
    expect(report.tracks.map(({ codec, recovered }) => [codec, recovered])).toEqual([
      ['prores', pictures.length],
    ])
    expect(report.findings.map(({ message }) => message).join()).toContain('30 a second assumed')
    expect(report.verdict).toBe('partial')
    expect(report.doubts).toEqual([DOUBT.assumed])
  })
})
