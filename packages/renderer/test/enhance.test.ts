import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeHashes, enhance, RendererError, type StreamHashes } from '../src/index.ts'
import { type Clips, clips } from './clips.ts'
import { gradientOf, lumasOf, meanOf } from './lumas.ts'

let scratch: Clips
beforeAll(() => {
  scratch = clips()
})
afterAll(() => scratch.remove())

const made = new Map<string, Promise<string>>()

/** A clip by the name of its recipe, made once. */
function clipOf(name: string): Promise<string> {
  const clip = made.get(name) ?? scratch.make(name)
  made.set(name, clip)
  return clip
}

function videoOf(streams: readonly StreamHashes[]): StreamHashes {
  const video = streams.find(({ kind }) => kind === 'video')
  if (!video) throw new Error('no pictures')
  return video
}

/** Overwrites a part of one picture's bytes with zeros, from the share `from` to the share `to` of it. */
async function holed(clip: string, packet: number, from: number, to: number): Promise<string> {
  const { packets } = videoOf(await decodeHashes(clip, { frames: false }))
  const { position, size } = packets[packet] ?? { position: 0, size: 0 }
  const bytes = readFileSync(clip)
  bytes.fill(0, position + Math.floor(size * from), position + Math.ceil(size * to))
  const path = `${clip}-holed-${packet}`
  writeFileSync(path, bytes)
  return path
}

/** Everything outside the changed stretches must be as it was; all must be shown when it was. */
async function expectSpliced(before: string, after: string, start: number, end: number): Promise<void> {
  const [old, now] = await Promise.all([decodeHashes(before), decodeHashes(after)])
  const video = videoOf(old)
  const inside = (time: number | undefined): boolean => {
    const seconds = (time ?? 0) - Math.min(...video.packets.map(({ pts }) => pts ?? 0))
    return seconds > start - 1e-6 && seconds < end - 1e-6
  }
  for (const stream of old) {
    const other = now[stream.index]
    const [kept, keptNow] = [stream, other].map((each) =>
      each?.packets
        .filter(({ pts }) => each.kind !== 'video' || !inside(pts))
        .map(({ pts, dts, md5 }) => [pts, dts, md5]),
    )
    expect(keptNow).toEqual(kept)
    const times = [stream, other].map((each) => each?.packets.map(({ pts }) => pts).sort())
    expect(times[1]).toEqual(times[0])
    expect(other?.packets.map(({ dts }) => dts)).toEqual(stream.packets.map(({ dts }) => dts))
  }
  const outside = [old, now].map((streams) =>
    videoOf(streams)
      .frames.filter(({ pts }) => !inside(pts))
      .map(({ pts, md5 }) => [pts, md5]),
  )
  expect(outside[0]?.length).toBeGreaterThan(0)
  expect(outside[1]).toEqual(outside[0])
  const pictures = videoOf(now).frames
  expect(pictures).toHaveLength(video.packets.length)
  expect(pictures.some(({ failed }) => failed)).toBe(false)
}

describe('concealing damaged pictures', () => {
  it.each([
    ['h264-camera-aac', 24, 0.3, 0.8, 8],
    ['h264-interlaced-pcm', 10, 0.4, 0.9, 20],
    ['hevc-b-aac', 40, 0.2, 0.9, 24],
  ] as const)('encodes only the damaged stretch of %s anew', async (name, packet, from, to, most) => {
    const damaged = await holed(await clipOf(name), packet, from, to)
    const output = `${damaged}-enhanced`
    const { changed } = await enhance({ input: damaged, output, operations: { conceal: { ranges: [] } } })
    expect(changed).toHaveLength(1)
    const [range] = changed
    expect(range?.operation).toBe('conceal')
    expect(range?.pictures).toBeGreaterThan(0)
    expect(range?.pictures).toBeLessThanOrEqual(most)
    await expectSpliced(damaged, output, range?.start ?? 0, range?.end ?? 0)
  })

  it('stands in for a key picture that is gone, and for the group that needs it', async () => {
    const clip = await clipOf('h264-camera-aac')
    const damaged = await holed(clip, 30, 0, 1)
    const output = join(scratch.folder, 'key.mov')
    const { changed } = await enhance({ input: damaged, output, operations: { conceal: { ranges: [] } } })
    expect(changed).toEqual([{ operation: 'conceal', start: 1, end: 1.5, pictures: 15 }])
    await expectSpliced(damaged, output, 1, 1.5)
  })

  it('fills pictures whose bytes are known to be damaged from their neighbours', async () => {
    const clip = await clipOf('mjpeg-pcm')
    const damaged = await holed(clip, 30, 0.4, 0.6)
    const output = join(scratch.folder, 'mjpeg.mov')
    const ranges = [{ start: 1, end: 1.03 }]
    const { changed } = await enhance({ input: damaged, output, operations: { conceal: { ranges } } })
    expect(changed).toHaveLength(1)
    expect(changed[0]?.pictures).toBe(1)
    const [whole, broken, mended] = [clip, damaged, output].map((path) => lumasOf(path)[30]?.samples)
    expect(differenceOf(mended, whole)).toBeLessThan(differenceOf(broken, whole))
  })

  it('changes nothing and writes nothing where nothing is damaged', async () => {
    const input = await clipOf('h264-ip-aac')
    const output = join(scratch.folder, 'nothing.mp4')
    const before = readdirSync(scratch.folder)
    const result = await enhance({ input, output, operations: { conceal: { ranges: [] } } })
    expect(result).toEqual({ changed: [], left: [] })
    expect(readdirSync(scratch.folder)).toEqual(before)
  })

  it('says so where the pictures cannot be encoded to fit, and leaves nothing behind', async () => {
    const input = await holed(await clipOf('mkv-h264-aac'), 20, 0.1, 1)
    const before = readdirSync(scratch.folder)
    const output = join(scratch.folder, 'none.mkv')
    const error: unknown = await enhance({ input, output, operations: { conceal: { ranges: [] } } }).catch(
      (reason: unknown) => reason,
    )
    expect(error instanceof RendererError && error.kind).toBe('unsupported')
    expect(readdirSync(scratch.folder)).toEqual(before)
  })
})

function differenceOf(a: Uint8Array | undefined, b: Uint8Array | undefined): number {
  if (!a || !b || a.length !== b.length) throw new Error('pictures of different size')
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length
}

/** A film whose every other picture is brighter: the quantiser of the mean of its blocks is raised. */
async function flickering(): Promise<string> {
  const clip = await clipOf('mjpeg-pcm')
  const { packets } = videoOf(await decodeHashes(clip, { frames: false }))
  const bytes = readFileSync(clip)
  for (const { position } of packets.filter((_, index) => index % 2 === 1)) {
    // DQT: marker, length, number of the table, then the quantiser of the mean (ITU-T T.81 §B.2.4.1).
    const first = bytes.indexOf(Buffer.from([0xff, 0xdb]), position) + 5
    bytes[first] = Math.round((bytes[first] ?? 0) * 1.4)
  }
  const path = join(scratch.folder, 'flicker.mov')
  writeFileSync(path, bytes)
  return path
}

describe('filters', () => {
  it('evens out flickering pictures and keeps sound and times', async () => {
    const input = await flickering()
    const output = join(scratch.folder, 'calm.mov')
    const { changed } = await enhance({ input, output, operations: { deflicker: true } })
    expect(changed).toEqual([{ operation: 'deflicker', start: 0, end: 2, pictures: 60 }])
    const flicker = (path: string): number => {
      const means = lumasOf(path).map(meanOf)
      const steps = means.slice(1).map((mean, index) => Math.abs(mean - (means[index] ?? 0)))
      return steps.reduce((sum, step) => sum + step, 0) / steps.length
    }
    expect(flicker(output)).toBeLessThan(flicker(input) / 3)
    const [old, now] = [await decodeHashes(input), await decodeHashes(output)]
    expect(now[1]?.packets.map(({ md5, pts }) => [md5, pts])).toEqual(
      old[1]?.packets.map(({ md5, pts }) => [md5, pts]),
    )
    expect(videoOf(now).frames.map(({ pts }) => pts)).toEqual(videoOf(old).frames.map(({ pts }) => pts))
  })

  it('sharpens and keeps the times of a variable rate', async () => {
    const input = await clipOf('h264-phone-vfr-aac')
    const output = join(scratch.folder, 'sharp.mp4')
    const { changed } = await enhance({ input, output, operations: { sharpen: 0.4 } })
    expect(changed.map(({ operation }) => operation)).toEqual(['sharpen'])
    expect(gradient(output)).toBeGreaterThan(gradient(input) * 1.1)
    const times = (streams: StreamHashes[]): unknown => videoOf(streams).frames.map(({ pts }) => pts)
    expect(times(await decodeHashes(output))).toEqual(times(await decodeHashes(input)))
  })
})

function gradient(path: string): number {
  const lumas = lumasOf(path)
  return lumas.reduce((sum, luma) => sum + gradientOf(luma), 0) / lumas.length
}

describe('retiming', () => {
  it('gives pictures that stutter the constant rate that sound and count tell, packets unchanged', async () => {
    const input = await clipOf('h264-jitter-aac')
    const output = join(scratch.folder, 'steady.mp4')
    const { changed } = await enhance({ input, output, operations: { retime: {} } })
    expect(changed).toEqual([{ operation: 'retime', start: 0, end: 2, pictures: 60 }])
    const [old, now] = [await decodeHashes(input), await decodeHashes(output)]
    expect(now.map(({ packets }) => packets.map(({ md5 }) => md5))).toEqual(
      old.map(({ packets }) => packets.map(({ md5 }) => md5)),
    )
    const times = videoOf(now).frames.map(({ pts }) => pts ?? 0)
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo((times[0] ?? 0) + index / 30, 6)
    expect(now[1]?.packets.map(({ pts }) => pts)).toEqual(old[1]?.packets.map(({ pts }) => pts))
  })

  it('leaves a steady film alone and refuses where nothing tells a rate', async () => {
    const output = join(scratch.folder, 'never.mp4')
    const steady = await clipOf('h264-ip-aac')
    expect(await enhance({ input: steady, output, operations: { retime: {} } })).toEqual({
      changed: [],
      left: [],
    })
    for (const name of ['h264-phone-vfr-aac', 'h264-silent']) {
      const input = await clipOf(name)
      const refused = enhance({ input, output, operations: { retime: {} } })
      await (name === 'h264-silent'
        ? expect(refused).rejects.toThrow('no sound')
        : expect(refused).rejects.toThrow('tell no rate'))
    }
    expect(existsSync(output)).toBe(false)
  })
})
