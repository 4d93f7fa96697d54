import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeHashes, extractPayload } from '../src/index.ts'
import { type Clips, clips } from './clips.ts'

let scratch: Clips
beforeAll(() => {
  scratch = clips()
})
afterAll(() => scratch.remove())

describe('decodeHashes', () => {
  it('lists packets with their place in the file and pictures in display order', async () => {
    const clip = await scratch.make('h264-camera-aac')
    const [video, audio] = await decodeHashes(clip)
    const bytes = readFileSync(clip)
    for (const { position, size, md5 } of [...(video?.packets ?? []), ...(audio?.packets ?? [])]) {
      expect(
        createHash('md5')
          .update(bytes.subarray(position, position + size))
          .digest('hex'),
      ).toBe(md5)
    }
    const times = video?.frames.map(({ pts }) => pts ?? Number.NaN) ?? []
    expect(times).toHaveLength(60)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(new Set(video?.frames.map(({ md5 }) => md5)).size).toBe(60)
    expect(audio?.frames).toEqual([])
  })

  it('leaves out packets that a lost range touches, and the pictures that need them change or go', async () => {
    const clip = await scratch.make('h264-ip-aac')
    const [whole] = await decodeHashes(clip)
    const hit = whole?.packets[15]
    const start = hit?.position ?? 0
    const [left] = await decodeHashes(clip, { lost: [{ start, end: start + 1 }] })
    expect(left?.packets).toHaveLength(59)
    expect(left?.packets.some(({ position }) => position === start)).toBe(false)
    expect(left?.frames.slice(0, 15).map(({ md5 }) => md5)).toEqual(
      whole?.frames.slice(0, 15).map(({ md5 }) => md5),
    )
    expect(left?.frames.slice(15, 20).some(({ md5 }, index) => md5 === whole?.frames[16 + index]?.md5)).toBe(
      false,
    )
  })

  it('skips the decoding when only packets are wanted', async () => {
    const [video] = await decodeHashes(await scratch.make('h264-ip-aac'), { frames: false })
    expect(video?.packets).toHaveLength(60)
    expect(video?.frames).toEqual([])
  })
})

describe('extractPayload', () => {
  it('writes the plain samples of a PCM track end to end', async () => {
    const clip = await scratch.make('h264-pcm-chunks')
    const output = join(scratch.folder, 'pcm')
    expect(await extractPayload(clip, 1, output)).toBe(2 * 48_000 * 4)
    expect(readFileSync(output)).toHaveLength(2 * 48_000 * 4)
  })
})
