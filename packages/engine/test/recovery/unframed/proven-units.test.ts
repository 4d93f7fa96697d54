import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { carve } from '../../../src/recovery/carve.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const RATE = 30
const SOUND_SECONDS = 0.02
const opus: TrackDescription = {
  ...{ id: 2, kind: 'audio', codec: 'opus', timescale: 48_000, config: new Uint8Array(0), framing: 'raw' },
  ...{ sampleRate: 48_000, channels: 2 },
}

/** The stream's pictures, `rounds` times, with Opus packets of about `soundBytes` between them by their times. */
function record(name: string, rounds: number, soundBytes: number) {
  const fixture = streamFixture(name)
  const [pictures, sounds] = [new SampleTable(), new SampleTable()]
  const bytes: number[] = []
  const push = (table: SampleTable, unit: Uint8Array, duration: number): void => {
    table.push(bytes.length, unit.length, 1, duration, table.length, SAMPLE_KEY)
    table.dts[table.length - 1] = (table.length - 1) * duration
    bytes.push(...unit)
  }
  for (let i = 0; i < fixture.packets.length * rounds; i++) {
    for (; sounds.length * SOUND_SECONDS <= i / RATE; ) {
      const packet = noise(soundBytes + (sounds.length % 7), 900 + sounds.length)
      packet[0] = 0xfc
      push(sounds, packet, 960)
    }
    const { offset, size } = fixture.packets[i % fixture.packets.length]
    push(pictures, fixture.bytes.slice(offset, offset + size), 90_000 / RATE)
  }
  const video = { ...trackOf(fixture, 'raw'), timescale: 90_000 }
  return {
    bytes: Uint8Array.from(bytes),
    tracks: [
      { description: video, table: pictures },
      { description: opus, table: sounds },
    ],
  }
}

type Recording = ReturnType<typeof record>

/** Rows of the original's pictures that are found with their exact bytes, of those that `counts`. */
async function found(
  damaged: Uint8Array,
  original: Recording,
  sample: Recording,
  counts: (row: number) => boolean,
) {
  const carved = await carve({
    reader: readerOf(damaged),
    regions: [{ offset: 0, length: damaged.length }],
    sample: { reader: readerOf(sample.bytes), tracks: sample.tracks },
    limits: DEFAULT_LIMITS,
    monitor: SILENT,
  })
  const { table } = carved.tracks[0]
  const units = new Set(
    Array.from({ length: table.length }, (_, row) => `${table.offset[row]}+${table.size[row]}`),
  )
  const { table: wanted } = original.tracks[0]
  const missing: number[] = []
  for (let row = 0; row < wanted.length; row++)
    if (counts(row) && !units.has(`${wanted.offset[row]}+${wanted.size[row]}`)) missing.push(row)
  return missing
}

describe.each([
  ['vp9-hidden', 'vp9-hidden', 3],
  ['vp9-adapting', 'vp9-adapting', 5],
  ['vp9-segments', 'vp9-segments', 4],
  ['vp9-tiles', 'vp9-tiles', 8],
] as const)('VP9 pictures of %s beside Opus', (name, teacher, rounds) => {
  const sample = record(teacher, rounds, 70)
  const original = record(name, rounds, 150)

  it('are found byte by byte where they are whole, beside sound of another size than the sample’s', async () => {
    expect(await found(original.bytes, original, sample, () => true)).toEqual([])
  })

  it('are found up to one that was hit, and from the next key picture on', async () => {
    const { table } = original.tracks[0]
    const packets = streamFixture(name).packets.length
    const hit = packets + Math.floor(packets / 2)
    const damaged = original.bytes.slice()
    damaged.fill(0, table.offset[hit] + 40, table.offset[hit] + table.size[hit] - 10)
    const missing = await found(damaged, original, sample, (row) => row < hit || row >= 2 * packets)
    expect(missing).toEqual([])
  })
})

it('a VP9 picture whose hidden frame was hit ends behind the index that names it', async () => {
  const sample = record('vp9-hidden', 3, 70)
  const original = record('vp9-hidden', 3, 150)
  const { table } = original.tracks[0]
  const { packets, bytes } = streamFixture('vp9-hidden')
  const superframe = packets.findIndex(({ offset, size }) => bytes[offset + size - 1] >> 5 === 6)
  expect(superframe).toBeGreaterThan(0)
  const hit = packets.length + superframe
  const damaged = original.bytes.slice()
  damaged.set(noise(30, 5), table.offset[hit] + 300)
  const missing = await found(damaged, original, sample, (row) => row <= hit || row >= 2 * packets.length)
  expect(missing).toEqual([])
})
