import { expect, it } from 'vitest'
import type { TrackDescription } from '../../src/model/track.ts'
import { noise, trackOf } from '../../testing/video/replay.ts'
import { streamFixture } from '../../testing/video/stream-fixture.ts'
import { Recorder } from './recorder.ts'

const FRAMES = 3000

const plain: TrackDescription = {
  ...{ id: 2, kind: 'audio', codec: 'pcm', timescale: 8_000, sampleRate: 8_000, channels: 1, framing: 'raw' },
  ...{ config: new Uint8Array(0), blockAlign: 2, facts: { bitsPerSample: 16, endian: 'big' } },
}

/** A low tone of 16 bits. */
function tone(chunk: number): Uint8Array {
  const bytes = new Uint8Array(FRAMES * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < FRAMES; i++)
    view.setInt16(i * 2, Math.round(8000 * Math.sin((chunk * FRAMES + i) / 17) + ((i * 7919) % 61)))
  return bytes
}

/** Pictures whose bits alone tell where they end, and a chunk of plain sound behind every third. */
function record(first: number): Recorder {
  const fixture = streamFixture('mpeg4-simple')
  const recorder = new Recorder([{ ...trackOf(fixture, 'raw'), timescale: 90_000 }, plain])
  for (const [i, { offset, size }] of fixture.packets.entries()) {
    recorder.push(0, fixture.bytes.subarray(offset, offset + size), 1, 3_600)
    if (i % 3 === 2) recorder.push(1, tone(first + i), FRAMES, FRAMES)
  }
  return recorder
}

it('plain sound behind a damaged picture is sound, not more of the picture', async () => {
  const original = record(0)
  const [pictures, sound] = original.tables
  const damaged = original.bytes()
  // the picture before the second chunk
  const row = 5
  damaged.set(noise(40, 5), pictures.offset[row] + (pictures.size[row] >> 1))
  const carved = await record(40).carve(damaged)
  const [found, heard] = carved.tracks.map(({ table }) => table)
  expect(found.length).toBe(pictures.length)
  expect(heard.length).toBe(sound.length)
  for (let chunk = 0; chunk < sound.length; chunk++) {
    expect(heard.offset[chunk]).toBe(sound.offset[chunk])
    expect(heard.size[chunk]).toBe(sound.size[chunk])
  }
})
