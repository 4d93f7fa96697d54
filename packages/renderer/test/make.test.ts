import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  decodeHashes,
  extractSegment,
  preview,
  probeMedia,
  RendererError,
  stillImage,
  verify,
} from '../src/index.ts'
import { type Clips, clips } from './clips.ts'

let scratch: Clips
let camera: string
beforeAll(async () => {
  scratch = clips()
  camera = await scratch.make('h264-camera-aac')
})
afterAll(() => scratch.remove())

/** Writes the camera clip with a display matrix that turns it by a quarter (ISO/IEC 14496-12:2022 §8.3.2). */
function turned(name: string): string {
  const bytes = readFileSync(camera)
  const matrix = bytes.indexOf('tkhd') + 4 + 4 + 20 + 16
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0, 0].entries())
    bytes.writeInt32BE(value, matrix + index * 4)
  const path = join(scratch.folder, name)
  writeFileSync(path, bytes)
  return path
}

/** First bytes of the index and of the payload in a file: players start at once when the index comes first. */
function isFastStart(path: string): boolean {
  const bytes = readFileSync(path)
  return bytes.indexOf('moov') < bytes.indexOf('mdat')
}

describe('preview', () => {
  it('is H.264 and AAC that decodes, with the index in front, and as long as asked for', async () => {
    const output = join(scratch.folder, 'preview.mp4')
    const result = await preview({ input: await scratch.make('mkv-h264-aac'), output, fraction: 0.75 })
    const check = await verify(output)
    expect(check.decodable).toBe(true)
    expect(check.tracks.map(({ codec, errors }) => [codec, errors]).sort()).toEqual([
      ['aac', 0],
      ['h264', 0],
    ])
    expect(result.pictures).toBe(check.tracks.find(({ kind }) => kind === 'video')?.frames)
    expect(result.pictures).toBeGreaterThanOrEqual(45)
    expect(result.pictures).toBeLessThanOrEqual(46)
    expect(check.duration).toBeCloseTo(1.5, 0)
    expect(isFastStart(output)).toBe(true)
  })

  it('shows at least a second, whatever a tenth is', async () => {
    const output = join(scratch.folder, 'short.mp4')
    const { pictures } = await preview({ input: camera, output })
    expect(pictures).toBeGreaterThanOrEqual(30)
    expect(pictures).toBeLessThanOrEqual(31)
  })

  it('keeps the times of a variable rate', async () => {
    const input = await scratch.make('h264-phone-vfr-aac')
    const output = join(scratch.folder, 'vfr.mp4')
    await preview({ input, output })
    const times = async (path: string): Promise<number[]> => {
      const [video] = (await decodeHashes(path)).filter(({ kind }) => kind === 'video')
      return (video?.frames ?? [])
        .map(({ pts }) => Math.round((pts ?? 0) * 1000))
        .filter((time) => time < 1000)
    }
    expect(await times(output)).toEqual(await times(input))
  })

  it('keeps the rotation and bounds the size', async () => {
    const output = join(scratch.folder, 'turned.mp4')
    const result = await preview({ input: turned('turned.mov'), output, maxWidth: 96 })
    expect(result).toMatchObject({ width: 96, height: 54 })
    const still = join(scratch.folder, 'turned.jpg')
    expect(await stillImage({ input: output, output: still })).toMatchObject({ width: 54, height: 96 })
  })

  it('starts with what decodes where the beginning is damaged', async () => {
    const bytes = readFileSync(camera)
    const [video] = await decodeHashes(camera, { frames: false })
    for (const { position, size } of video?.packets.slice(0, 40) ?? [])
      bytes.fill(0, position, position + size)
    const input = join(scratch.folder, 'damaged.mov')
    writeFileSync(input, bytes)
    const output = join(scratch.folder, 'damaged.mp4')
    expect((await preview({ input, output })).pictures).toBeGreaterThan(0)
    expect((await verify(output)).decodable).toBe(true)
  })

  it('leaves nothing behind when nothing decodes, and blames the input', async () => {
    const input = join(scratch.folder, 'text.mp4')
    writeFileSync(input, 'no film at all')
    const output = join(scratch.folder, 'none.mp4')
    const before = readdirSync(scratch.folder)
    const error: unknown = await preview({ input, output }).catch((reason: unknown) => reason)
    expect(error instanceof RendererError && error.kind).toBe('input')
    expect(readdirSync(scratch.folder)).toEqual(before)
  })

  it('leaves nothing behind when it is stopped', async () => {
    const stop = new AbortController()
    const before = readdirSync(scratch.folder)
    const running = preview({
      input: camera,
      output: join(scratch.folder, 'stopped.mp4'),
      signal: stop.signal,
    })
    setTimeout(() => stop.abort(), 150)
    await expect(running).rejects.toThrow('stopped by the caller')
    expect(readdirSync(scratch.folder)).toEqual(before)
  })
})

describe('stillImage', () => {
  it('writes a JPEG of the wanted width near the wanted time', async () => {
    const output = join(scratch.folder, 'still.jpg')
    const result = await stillImage({ input: camera, output, atSeconds: 1, width: 100 })
    expect(result).toMatchObject({ width: 100, height: 56 })
    expect(result.seconds).toBeCloseTo(1, 1)
    expect([...readFileSync(output).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
  })

  it('takes the last picture when the time is behind the end', async () => {
    const output = join(scratch.folder, 'late.jpg')
    const { seconds } = await stillImage({ input: camera, output, atSeconds: 500 })
    expect(seconds).toBeGreaterThan(1.8)
  })
})

describe('extractSegment', () => {
  it('copies the first part in the recording’s own container and codecs', async () => {
    for (const [name, container, codec] of [
      ['avi-mpeg4-mp3', 'avi', 'mpeg4'],
      ['mts-h264-ac3', 'mpegts', 'h264'],
      ['wmv-wmv2-wma', 'asf', 'wmv2'],
    ] as const) {
      const input = await scratch.make(name)
      const extension = name.slice(0, 3)
      const output = join(scratch.folder, `part-${name}.${extension}`)
      expect(await extractSegment({ input, output })).toEqual({ path: output, own: true })
      const media = await probeMedia(output)
      expect(media.container).toContain(container)
      expect(media.streams[0]?.codec).toBe(codec)
      expect((await verify(output)).duration).toBeLessThan(1.5)
    }
  })

  it('falls back to MP4 and says why where the container cannot be written', async () => {
    const output = join(scratch.folder, 'part.xyz')
    const result = await extractSegment({ input: camera, output })
    expect(result).toEqual({
      path: join(scratch.folder, 'part.mp4'),
      own: false,
      reason: 'nothing writes .xyz',
    })
    expect(existsSync(output)).toBe(false)
    expect((await verify(result.path)).decodable).toBe(true)
  })
})
