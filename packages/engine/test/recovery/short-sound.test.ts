import { expect, it } from 'vitest'
import { noise, trackOf } from '../../testing/video/replay.ts'
import { streamFixture } from '../../testing/video/stream-fixture.ts'
import { FRAMES, plain } from './plain-sound.ts'
import { Recorder } from './recorder.ts'

/** Chunk `chunk` of a low tone of 16 bits. */
function tone(chunk: number): Uint8Array {
  const bytes = new Uint8Array(FRAMES * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < FRAMES; i++) {
    const frame = chunk * FRAMES + i
    view.setInt16(i * 2, Math.round(9000 * Math.sin(frame / 47)) + ((frame * 7919) % 61))
  }
  return bytes
}

/** Chunk `chunk` of a rustle, whose steps are as large as its loudness. */
function rustle(chunk: number): Uint8Array {
  const bytes = new Uint8Array(FRAMES * 2)
  const view = new DataView(bytes.buffer)
  let level = 0
  for (const [i, byte] of noise(FRAMES, chunk + 1).entries()) {
    level = level * 0.8 + (byte - 128) * 20
    view.setInt16(i * 2, Math.round(level))
  }
  return bytes
}

/** Pictures with their lengths, and a chunk of plain sound behind each. */
function record(sound = tone): Recorder {
  const fixture = streamFixture('h264-b-pyramid')
  const recorder = new Recorder([{ ...trackOf(fixture, 'length'), timescale: 25 }, plain])
  for (const [i, { offset, size }] of fixture.packets.entries()) {
    recorder.push(0, fixture.bytes.subarray(offset, offset + size), 1, 1)
    recorder.push(1, sound(i), FRAMES, FRAMES)
  }
  return recorder
}

/** Bytes without `count` of them at `from`. */
function without(bytes: Uint8Array, from: number, count: number): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(from + count)])
}

it('sound that a picture which lost bytes claims is sound, and the picture lost', async () => {
  const original = record()
  const [pictures, sound] = original.tables
  const row = 24
  const gone = 120
  const damaged = without(original.bytes(), pictures.offset[row] + 80, gone)
  const carved = await original.carve(damaged)
  const [found, heard] = carved.tracks.map(({ table }) => table)
  expect(found.length).toBe(pictures.length - 1)
  expect([...heard.size.subarray(0, heard.length)]).toEqual([...sound.size.subarray(0, sound.length)])
  expect(heard.offset[row]).toBe(sound.offset[row] - gone)
  expect(heard.dts[row + 1]).toBe((row + 1) * FRAMES)
})

it('a chunk of sound that is shorter than all others keeps its time, with a gap where the sound breaks off', async () => {
  const original = record()
  const [pictures, sound] = original.tables
  const row = 6
  const damaged = without(original.bytes(), sound.offset[row] + 1000, 512)
  const carved = await original.carve(damaged)
  const [found, heard] = carved.tracks.map(({ table }) => table)
  expect(found.length).toBe(pictures.length)
  expect(heard.length).toBe(sound.length + 1)
  expect(heard.size[row]).toBe(1000)
  expect(heard.dts[row + 1]).toBe(row * FRAMES + (1000 + 512) / 2)
  expect(heard.dts[row + 2]).toBe((row + 1) * FRAMES)
  expect(carved.tracks[1].times.losses.map(({ seconds }) => Math.round(seconds * 48_000))).toEqual([256])
  expect(carved.tracks[1].times.untimed).toBe(false)
})

it('says that a time is uncertain where a chunk lacks more than half a picture and nothing tells where', async () => {
  const original = record(rustle)
  const [, sound] = original.tables
  const isUncertain = async (gone: number): Promise<boolean> => {
    const carved = await original.carve(without(original.bytes(), sound.offset[6] + 1000, gone))
    return carved.tracks[1].times.untimed
  }
  expect(await isUncertain(512)).toBe(false)
  expect(await isUncertain(2048)).toBe(true)
})
