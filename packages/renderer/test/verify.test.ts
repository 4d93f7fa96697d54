import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeHashes, probeMedia, RendererError, verify } from '../src/index.ts'
import { type Clips, clips } from './clips.ts'

let scratch: Clips
let clip: string
beforeAll(async () => {
  scratch = clips()
  clip = await scratch.make('h264-camera-aac')
})
afterAll(() => scratch.remove())

async function kindOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof RendererError ? error.kind : `not a RendererError: ${error}`
}

describe('verify', () => {
  it('counts every frame of a healthy recording and finds no error', async () => {
    const fractions: number[] = []
    const result = await verify(clip, { onProgress: (fraction) => fractions.push(fraction) })
    expect(result.decodable).toBe(true)
    expect(result.duration).toBeCloseTo(2, 1)
    const [picture, sound] = result.tracks
    const look = { width: 192, height: 108, pixelFormat: 'yuv420p' }
    expect(picture).toEqual({
      kind: 'video',
      codec: 'h264',
      packets: 60,
      frames: 60,
      errors: 0,
      duration: 2,
      ...look,
    })
    expect(sound).toMatchObject({ kind: 'audio', codec: 'aac', packets: 95, frames: 94, errors: 0 })
    expect(sound).toMatchObject({ sampleRate: 48_000, channels: 2 })
    expect(sound).not.toHaveProperty('faults')
    expect(fractions.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true)
  })

  it('tolerates a data track beside pictures and sound', async () => {
    const result = await verify(await scratch.make('h264-timecode-aac'))
    expect(result.decodable).toBe(true)
    expect(result.tracks.map(({ kind }) => kind)).toEqual(['video', 'audio', 'data'])
  })

  it('counts errors where the payload is damaged and still calls the file decodable', async () => {
    const bytes = readFileSync(clip)
    const [video] = await decodeHashes(clip, { frames: false })
    const packet = video?.packets[20]
    bytes.fill(0, packet?.position, (packet?.position ?? 0) + (packet?.size ?? 0))
    const path = join(scratch.folder, 'holed')
    writeFileSync(path, bytes)
    const result = await verify(path)
    expect(result.decodable).toBe(true)
    expect(result.tracks[0]?.errors).toBeGreaterThan(0)
    expect(result.tracks[1]?.errors).toBe(0)
  })

  it('tells which pictures and which sounds do not decode, in seconds of their track', async () => {
    const bytes = readFileSync(clip)
    const [video, audio] = await decodeHashes(clip, { frames: false })
    const hit = [video?.packets[20], video?.packets[21], video?.packets[50]]
    for (const packet of hit) {
      const { position, size } = packet ?? { position: 0, size: 0 }
      bytes.fill(0, position + (size >> 2), position + size)
    }
    const { position, size, pts } = audio?.packets[40] ?? { position: 0, size: 0, pts: 0 }
    bytes.fill(0xff, position, position + size)
    const path = join(scratch.folder, 'hit')
    writeFileSync(path, bytes)
    const [picture, sound] = (await verify(path)).tracks
    const first = video?.packets[0]?.pts ?? 0
    const wanted = hit.map((packet) => (packet?.pts ?? 0) - first)
    const placed = (time: number) =>
      picture?.faults?.some(({ start, end }) => start <= time + 0.001 && time < end - 0.001)
    for (const time of wanted) expect(placed(time)).toBe(true)
    for (const time of [0.1, 1.3, 1.9]) expect(placed(time)).toBe(false)
    expect(sound?.faults).toHaveLength(1)
    expect(Math.abs((sound?.faults?.[0]?.start ?? 0) - (pts ?? 0))).toBeLessThan(0.05)
  })

  it('calls a recording whose sound is all noise not decodable', async () => {
    const bytes = readFileSync(clip)
    const [, audio] = await decodeHashes(clip, { frames: false })
    for (const { position, size } of audio?.packets ?? []) bytes.fill(0xff, position, position + size)
    const path = join(scratch.folder, 'deaf')
    writeFileSync(path, bytes)
    const result = await verify(path)
    expect(result.tracks[1]?.frames).toBe(0)
    expect(result.decodable).toBe(false)
  })

  it('answers "not decodable" for a file without an index, an empty one and a text', async () => {
    for (const [name, content] of [
      ['empty.mp4', ''],
      ['text.mp4', 'This is no film. '.repeat(500)],
    ] as const) {
      const path = join(scratch.folder, name)
      writeFileSync(path, content)
      expect(await verify(path)).toEqual({ decodable: false, duration: 0, tracks: [] })
    }
    const cut = await scratch.make('h264-ip-aac')
    truncateSync(cut, 40_000)
    expect((await verify(cut)).decodable).toBe(false)
  })

  it('does not follow a playlist to other files', async () => {
    const path = join(scratch.folder, 'list.m3u8')
    writeFileSync(path, `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${clip}\n#EXT-X-ENDLIST\n`)
    expect((await verify(path)).decodable).toBe(false)
    writeFileSync(path, `ffconcat version 1.0\nfile '${clip}'\n`)
    expect((await verify(path)).decodable).toBe(false)
  })

  it('blames no environment for a film that ends within its head', async () => {
    const cut = join(scratch.folder, 'cut-head.webm')
    const head = [0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6d]
    // a Segment, and Info of 40 bytes of which two are there
    writeFileSync(
      cut,
      Uint8Array.from([...head, 0x18, 0x53, 0x80, 0x67, 0xc8, 0x15, 0x49, 0xa9, 0x66, 0xa8, 0x60, 0x15]),
    )
    expect(await verify(cut)).toEqual({ decodable: false, duration: 0, tracks: [] })
  })

  it('blames the environment for a missing file', async () => {
    expect(await kindOf(verify(join(scratch.folder, 'missing')))).toBe('environment')
  })

  it('opens a path with every character a file name may have', async () => {
    const path = join(scratch.folder, "http:%20a?b#c 'ü%d.mp4")
    writeFileSync(path, readFileSync(clip))
    expect((await verify(path)).decodable).toBe(true)
  })
})

describe('limits of the child process', () => {
  it('ends it when the caller stops, before and during the work', async () => {
    const stopped = AbortSignal.abort()
    expect(await kindOf(verify(clip, { signal: stopped }))).toBe('aborted')
    const stop = new AbortController()
    const running = verify(clip, { signal: stop.signal })
    setTimeout(() => stop.abort(), 20)
    expect(await kindOf(running)).toBe('aborted')
    // while the process is prepared, where nobody tells of it again
    const early = new AbortController()
    const preparing = verify(clip, { signal: early.signal })
    early.abort()
    expect(await kindOf(preparing)).toBe('aborted')
  })

  it('ends it when its time is over', async () => {
    expect(await kindOf(verify(clip, { timeoutSeconds: 0.02 }))).toBe('timeout')
  })

  it.runIf(process.platform === 'linux')('ends it when it needs too much memory', async () => {
    const large = join(scratch.folder, 'large')
    const { makeClip } = await import('@mendframe/tools/src/media/make-clip.ts')
    const { clipOf } = await import('@mendframe/tools/src/media/catalogue.ts')
    await makeClip(
      clipOf('hevc-b-aac', 'calm-sample', { seconds: 2, width: 1920, height: 1080, seed: 1 }),
      large,
    )
    expect(await kindOf(verify(large, { memoryBytes: 20 * 1024 * 1024 }))).toBe('memory')
  })
})

describe('probeMedia', () => {
  it('describes container and streams', async () => {
    const media = await probeMedia(clip)
    expect(media.container).toContain('mov')
    expect(media.duration).toBeCloseTo(2, 1)
    expect(media.streams[0]).toMatchObject({
      kind: 'video',
      codec: 'h264',
      width: 192,
      height: 108,
      frameRate: 30,
    })
    expect(media.streams[1]).toMatchObject({ kind: 'audio', codec: 'aac', sampleRate: 48_000, channels: 2 })
  })

  it('blames the input when it is no media', async () => {
    const path = join(scratch.folder, 'no-media')
    writeFileSync(path, 'nothing')
    expect(await kindOf(probeMedia(path))).toBe('input')
  })
})
