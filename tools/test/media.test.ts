import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeHashes } from '@mendframe/renderer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clipOf, RECIPES } from '../src/media/catalogue.ts'
import { makeClip } from '../src/media/make-clip.ts'

const TINY = { seconds: 1, width: 192, height: 108, seed: 5 }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'media-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function make(name: string, role: 'victim' | 'calm-sample', shape = TINY): Promise<string> {
  const path = join(folder, `${name}.${role}.${shape.seed}.${RECIPES[name]?.extension}`)
  await makeClip(clipOf(name, role, shape), path)
  return path
}

function md5(path: string): string {
  return createHash('md5').update(readFileSync(path)).digest('hex')
}

describe('media generator', () => {
  it('gives the same bytes for the same description and others for another seed', async () => {
    const first = md5(await make('h264-two-aac', 'victim'))
    const again = md5(await make('h264-two-aac', 'victim'))
    const other = md5(await make('h264-two-aac', 'victim', { ...TINY, seed: 6 }))
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  it('makes a calm sample of smaller pictures than its victim in the same settings', async () => {
    const [victim] = await decodeHashes(await make('h264-adaptive-b-aac', 'victim'))
    const [sample] = await decodeHashes(await make('h264-adaptive-b-aac', 'calm-sample'))
    const largest = (sizes: readonly { size: number }[] = []): number =>
      Math.max(...sizes.map(({ size }) => size))
    expect(largest(sample?.packets)).toBeLessThan(largest(victim?.packets))
    expect(sample?.codec).toBe(victim?.codec)
  })

  it('reorders pictures where B-pictures are asked for', async () => {
    const [video] = await decodeHashes(await make('h264-camera-aac', 'victim'))
    const times = video?.packets.map(({ pts }) => pts ?? 0) ?? []
    expect(times.some((time, index) => time < (times[index - 1] ?? 0))).toBe(true)
  })

  it('leaves out pictures where a variable rate is asked for', async () => {
    const [video] = await decodeHashes(await make('h264-phone-vfr-aac', 'victim'))
    const times = video?.frames.map(({ pts }) => pts ?? 0) ?? []
    const steps = new Set(times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) * 30)))
    expect(times.length).toBeLessThan(30)
    expect(steps).toContain(1)
    expect(steps).toContain(2)
  })

  it('writes PCM in chunks as long as asked for', async () => {
    const [, audio] = await decodeHashes(await make('h264-pcm-chunks', 'victim'), { frames: false })
    const packets = audio?.packets ?? []
    const breaks = packets.filter(({ position }, index) => {
      const before = packets[index - 1]
      return before && before.position + before.size !== position
    })
    expect(breaks).toHaveLength(1)
    expect(packets.reduce((sum, { size }) => sum + size, 0)).toBe(48_000 * 4)
  })

  it('refuses a recording without length, which its sources would make endless', async () => {
    const clip = clipOf('h264-silent', 'victim', { ...TINY, seconds: 0 })
    await expect(makeClip(clip, join(folder, 'endless.mp4'))).rejects.toThrow(/never end/)
  })

  it('says what is wrong with a description no encoder takes', async () => {
    const clip = clipOf('dv-pcm', 'victim', TINY)
    await expect(makeClip({ ...clip, width: 100 }, join(folder, 'x.mov'))).rejects.toThrow(
      /dvvideo 100x576 does not open/,
    )
  })
})
