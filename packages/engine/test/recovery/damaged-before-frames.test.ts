import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/bytes/limits.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../src/model/sample-table.ts'
import type { TrackDescription } from '../../src/model/track.ts'
import { carve } from '../../src/recovery/carve.ts'
import { noise, readerOf, trackOf } from '../../testing/video/replay.ts'
import { streamFixture } from '../../testing/video/stream-fixture.ts'

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
function record(first: number) {
  const fixture = streamFixture('mpeg4-simple')
  const tables = [new SampleTable(), new SampleTable()]
  const parts: Uint8Array[] = []
  let at = 0
  const push = (lane: number, unit: Uint8Array, duration: number): void => {
    const row = tables[lane].length
    tables[lane].push(at, unit.length, 1, duration, row, SAMPLE_KEY)
    tables[lane].dts[row] = row * duration
    parts.push(unit)
    at += unit.length
  }
  for (const [i, { offset, size }] of fixture.packets.entries()) {
    push(0, fixture.bytes.slice(offset, offset + size), 3_600)
    for (const n of [0, 1]) push(1, frame(7, 31, first + i * 2 + n), 160)
  }
  const video = { ...trackOf(fixture, 'raw'), timescale: 90_000 }
  const tracks = [
    { description: video, table: tables[0] },
    { description: speech, table: tables[1] },
  ]
  return { bytes: new Uint8Array(Buffer.concat(parts)), tracks }
}

it('what passes for a rare kind of frame at the end of a damaged picture is more of the picture', async () => {
  const original = record(0)
  const [pictures, sound] = original.tracks.map(({ table }) => table)
  const damaged = original.bytes.slice()
  const row = 5
  const start = pictures.offset[row]
  const end = start + pictures.size[row]
  damaged.set(noise(40, 5), start + (pictures.size[row] >> 1))
  // of the lowest mode, where all others are of the highest
  damaged.set(frame(0, 12, 3), end - 13)
  const sample = record(400)
  const carved = await carve({
    reader: readerOf(damaged),
    regions: [{ offset: 0, length: damaged.length }],
    sample: { reader: readerOf(sample.bytes), tracks: sample.tracks },
    limits: DEFAULT_LIMITS,
    monitor: SILENT,
  })
  const [foundPictures, foundSound] = carved.tracks.map(({ table }) => table)
  expect(foundSound.length).toBe(sound.length)
  expect(foundPictures.length).toBe(pictures.length)
  expect(foundPictures.size[row]).toBe(pictures.size[row])
})
