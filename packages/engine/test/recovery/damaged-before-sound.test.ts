import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/bytes/limits.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../src/model/sample-table.ts'
import type { TrackDescription } from '../../src/model/track.ts'
import { carve } from '../../src/recovery/carve.ts'
import { noise, readerOf, trackOf } from '../../testing/video/replay.ts'
import { streamFixture } from '../../testing/video/stream-fixture.ts'

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
function record(first: number) {
  const fixture = streamFixture('mpeg4-simple')
  const tables = [new SampleTable(), new SampleTable()]
  const parts: Uint8Array[] = []
  let at = 0
  const push = (lane: number, unit: Uint8Array, count: number, duration: number): void => {
    const row = tables[lane].length
    tables[lane].push(at, unit.length, count, duration, row, SAMPLE_KEY)
    tables[lane].dts[row] = row * duration
    parts.push(unit)
    at += unit.length
  }
  for (const [i, { offset, size }] of fixture.packets.entries()) {
    push(0, fixture.bytes.slice(offset, offset + size), 1, 3_600)
    if (i % 3 === 2) push(1, tone(first + i), FRAMES, FRAMES)
  }
  const video = { ...trackOf(fixture, 'raw'), timescale: 90_000 }
  const tracks = [
    { description: video, table: tables[0] },
    { description: plain, table: tables[1] },
  ]
  return { bytes: new Uint8Array(Buffer.concat(parts)), tracks }
}

it('plain sound behind a damaged picture is sound, not more of the picture', async () => {
  const original = record(0)
  const [pictures, sound] = original.tracks.map(({ table }) => table)
  const damaged = original.bytes.slice()
  // the picture before the second chunk
  const row = 5
  damaged.set(noise(40, 5), pictures.offset[row] + (pictures.size[row] >> 1))
  const sample = record(40)
  const carved = await carve({
    reader: readerOf(damaged),
    regions: [{ offset: 0, length: damaged.length }],
    sample: { reader: readerOf(sample.bytes), tracks: sample.tracks },
    limits: DEFAULT_LIMITS,
    monitor: SILENT,
  })
  const [found, heard] = carved.tracks.map(({ table }) => table)
  expect(found.length).toBe(pictures.length)
  expect(heard.length).toBe(sound.length)
  for (let chunk = 0; chunk < sound.length; chunk++) {
    expect(heard.offset[chunk]).toBe(sound.offset[chunk])
    expect(heard.size[chunk]).toBe(sound.size[chunk])
  }
})
