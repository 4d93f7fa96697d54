import { expect, it } from 'vitest'
import type { TrackDescription } from '../../src/model/track.ts'
import { noise, trackOf } from '../../testing/video/replay.ts'
import { streamFixture } from '../../testing/video/stream-fixture.ts'
import { Recorder } from './recorder.ts'

const speech: TrackDescription = {
  ...{ id: 2, kind: 'audio', codec: 'amr', timescale: 8_000, sampleRate: 8_000, channels: 1, framing: 'raw' },
  ...{ config: new Uint8Array(0), facts: { format: 'samr' } },
}

/** A good frame of a mode with so many bytes behind its header, 3GPP TS 26.101 Annex A, whose fill bits are zero. */
function frame(mode: number, bytes: number, seed: number): Uint8Array {
  const body = noise(bytes, seed)
  body[bytes - 1] = 0
  return Uint8Array.of((mode << 3) | 4, ...body)
}

/** Pictures whose bits alone tell where they end, and two frames of speech of the highest mode behind each. */
function record(first: number): Recorder {
  const fixture = streamFixture('mpeg4-simple')
  const recorder = new Recorder([{ ...trackOf(fixture, 'raw'), timescale: 90_000 }, speech])
  for (const [i, { offset, size }] of fixture.packets.entries()) {
    recorder.push(0, fixture.bytes.subarray(offset, offset + size), 1, 3_600)
    for (const n of [0, 1]) recorder.push(1, frame(7, 31, first + i * 2 + n), 1, 160)
  }
  return recorder
}

it('what passes for a rare kind of frame at the end of a damaged picture is more of the picture', async () => {
  const original = record(0)
  const [pictures, sound] = original.tables
  const damaged = original.bytes()
  const row = 5
  const start = pictures.offset[row]
  const end = start + pictures.size[row]
  damaged.set(noise(40, 5), start + (pictures.size[row] >> 1))
  // of the lowest mode, where all others are of the highest
  damaged.set(frame(0, 12, 3), end - 13)
  const carved = await record(400).carve(damaged)
  const [foundPictures, foundSound] = carved.tracks.map(({ table }) => table)
  expect(foundSound.length).toBe(sound.length)
  expect(foundPictures.length).toBe(pictures.length)
  expect(foundPictures.size[row]).toBe(pictures.size[row])
})
