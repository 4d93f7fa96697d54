import { expect, it } from 'vitest'
import type { Carved } from '../../src/recovery/carve.ts'
import { noise, trackOf } from '../../testing/video/replay.ts'
import { streamFixture } from '../../testing/video/stream-fixture.ts'
import { FRAMES, plain } from './plain-sound.ts'
import { Recorder } from './recorder.ts'

const fixture = streamFixture('h264-b-pyramid')
const STRAY = 9

/** A low tone of 16 bits as long as `pictures`, from picture `first` on. */
function tone(first: number, pictures: number): Uint8Array {
  const bytes = new Uint8Array(FRAMES * pictures * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < FRAMES * pictures; i++)
    view.setInt16(i * 2, Math.round(9000 * Math.sin((first * FRAMES + i) / 47)))
  return bytes
}

/**
 * Chunks of so many pictures each behind the sound that goes with them; with bytes of nothing behind the sound of chunk `stray`.
 */
function record(chunks: readonly number[], stray = -1): Recorder {
  const recorder = new Recorder([{ ...trackOf(fixture, 'length'), timescale: 25 }, plain])
  let first = 0
  for (const [chunk, pictures] of chunks.entries()) {
    recorder.push(1, tone(first, pictures), FRAMES * pictures, FRAMES * pictures)
    if (chunk === stray) recorder.skip(noise(STRAY, 1))
    for (const { offset, size } of fixture.packets.slice(first, first + pictures))
      recorder.push(0, fixture.bytes.subarray(offset, offset + size), 1, 1)
    first += pictures
  }
  return recorder
}

/** What is found in a film by what one long chunk at its start teaches. */
function found(bytes: Uint8Array): Promise<Carved> {
  return record([14]).carve(bytes)
}

it('one long chunk of plain sound at the start of what carving learns from is no measure of those behind a hole', async () => {
  const { tracks } = await found(record([14, 4, 4, 4, 4], 3).bytes())
  const [pictures, sound] = tracks
  expect(pictures.table.length).toBe(30)
  const lost = sound.times.losses.reduce((sum, { seconds }) => sum + seconds, 0)
  expect(lost).toBeLessThan(0.1)
  expect(sound.times.untimed).toBe(false)
})

it('how much plain sound is missing is in doubt where no chunks are known that tell it', async () => {
  const film = record([14, 4, 4, 4, 4])
  const { offset } = film.tables[1]
  const damaged = film.bytes().fill(0, offset[1] + 100, offset[2] - 300)
  const [, sound] = (await found(damaged)).tracks
  expect(sound.times.losses.some(({ seconds }) => seconds > 0.1)).toBe(true)
  expect(sound.times.untimed).toBe(true)
})
