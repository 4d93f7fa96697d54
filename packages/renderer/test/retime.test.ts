import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silenceLibrary } from '../src/media/library.ts'
import { Film } from '../src/tasks/enhance/film.ts'
import { retime } from '../src/tasks/enhance/retime.ts'
import { type Clips, clips, FIXTURES } from './clips.ts'

let scratch: Clips
beforeAll(() => {
  silenceLibrary()
  scratch = clips()
})
afterAll(() => scratch.remove())

/** Fifty pictures in two seconds beside sound, with its clock of so many ticks a second in place of 12,800. */
function film(scale = 12_800, name = 'h264-aac.mp4'): string {
  const bytes = readFileSync(join(FIXTURES, name))
  bytes.writeUInt32BE(scale, bytes.indexOf('mdhd') + 16)
  const path = join(scratch.folder, `${scale}-${name}`)
  writeFileSync(path, bytes)
  return path
}

/** What is said of a film at another rate, and when its pictures are shown then, in order. */
async function retimed(input: string, rate?: number) {
  const output = join(scratch.folder, 'out.mp4')
  const outcome = await retime(input, output, rate, () => undefined)
  if (outcome.changed.length === 0) return { outcome, times: undefined }
  const shown = Film.open(output)
  const { count, dts, timescale: scale } = shown.samples
  const times = Array.from({ length: count + 1 }, (_, rank) => shown.seconds(rank))
  shown.close()
  return { outcome, times, scale, delta: (dts[1] ?? 0) - (dts[0] ?? 0) }
}

describe('pictures at a constant rate', () => {
  it.each<[number, number, number, number]>([
    [30, 30_000, 1000, 30],
    [29.97, 30_000, 1001, 30_000 / 1001],
    [23.976, 24_000, 1001, 24_000 / 1001],
    [12.5, 12_500, 1000, 12.5],
    [1000, 1_000_000, 1000, 1000],
  ])('of %d a second are shown so', async (rate, scale, delta, exact) => {
    const told = await retimed(film(), rate)
    expect(told).toMatchObject({ scale, delta })
    expect(told.outcome).toEqual({
      changed: [{ operation: 'retime', start: 0, end: expect.closeTo(50 / exact, 9), pictures: 50 }],
      left: [],
    })
    for (const [rank, time] of told.times?.entries() ?? []) expect(time).toBeCloseTo(rank / exact, 6)
  })

  it('are left as they are where they are so already', async () => {
    expect((await retimed(film(), 25)).outcome).toEqual({ changed: [], left: [] })
    expect((await retimed(film())).outcome).toEqual({ changed: [], left: [] })
    // half a millisecond late in the end, and more than one
    expect((await retimed(film(12_797), 25)).outcome.changed).toEqual([])
    expect((await retimed(film(12_790), 25)).outcome.changed).toHaveLength(1)
  })

  it.each([0, -1, 1000.1, Number.NaN])('are not shown at %d a second', async (rate) => {
    await expect(retimed(film(), rate)).rejects.toThrow('cannot be shown')
  })

  it('have the rate that their number and the length of the sound tell', async () => {
    for (const scale of [6_400, 25_600]) {
      const told = await retimed(film(scale))
      expect(told).toMatchObject({ scale: 2500, delta: 100 })
      expect(told.outcome.changed[0]).toMatchObject({ start: 0, end: 2 })
    }
  })

  it('have none where no sound, or no rate of a camera, tells it', async () => {
    const bytes = readFileSync(film(6_400))
    const at = bytes.lastIndexOf('mdhd')
    const heard = bytes.readUInt32BE(at + 16)
    // forty a second, and seventy
    for (const times of [1.6, 2.8]) {
      bytes.writeUInt32BE(heard * times, at + 16)
      const path = join(scratch.folder, 'odd.mp4')
      writeFileSync(path, bytes)
      await expect(retimed(path), String(times)).rejects.toThrow('tell no rate that cameras record')
    }
    const silent = Buffer.from(bytes)
    silent.write('free', silent.lastIndexOf('trak'), 'latin1')
    const path = join(scratch.folder, 'silent.mp4')
    writeFileSync(path, silent)
    await expect(retimed(path)).rejects.toThrow('there is no sound')
  })
})
