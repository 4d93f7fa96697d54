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
  config: Uint8Array.of(0, 0, 0, 0, 0, 0x81, 0xff, 0, 1),
}

/** Pictures with headers of their own, and before each some frames of speech, of which any byte may be the first. */
function record(frames: number, seed: number) {
  const fixture = streamFixture('mpeg4-simple')
  const tables = [new SampleTable(), new SampleTable()]
  const parts: Uint8Array[] = []
  let at = 0
  const push = (lane: number, unit: Uint8Array, duration: number): void => {
    const { length } = tables[lane]
    tables[lane].push(at, unit.length, 1, duration, length, SAMPLE_KEY)
    tables[lane].dts[length] = length * duration
    parts.push(unit)
    at += unit.length
  }
  for (const [i, { offset, size }] of fixture.packets.entries()) {
    for (let frame = 0; frame < frames; frame++) {
      const unit = noise(13, seed + i * 20 + frame)
      // 4.75 kbit/s, good: 3GPP TS 26.101 §A.1.2
      unit[0] = 0x04
      push(1, unit, 160)
    }
    push(0, fixture.bytes.subarray(offset, offset + size), 3_600)
  }
  const video = { ...trackOf(fixture, 'raw'), timescale: 90_000 }
  const tracks = [
    { description: video, table: tables[0] },
    { description: speech, table: tables[1] },
  ]
  return { bytes: new Uint8Array(Buffer.concat(parts)), tracks }
}

it.each([5, 6, 7, 8, 12])(
  'a region that begins with %i units that tell little before one that tells much comes to its end',
  async (frames) => {
    const original = record(frames, 3)
    const sample = record(2, 900)
    const carved = await carve({
      reader: readerOf(original.bytes),
      regions: [{ offset: 0, length: original.bytes.length }],
      sample: { reader: readerOf(sample.bytes), tracks: sample.tracks },
      limits: DEFAULT_LIMITS,
      monitor: SILENT,
    })
    const [pictures] = carved.tracks
    expect(pictures.table.length).toBe(original.tracks[0].table.length)
  },
  10_000,
)
