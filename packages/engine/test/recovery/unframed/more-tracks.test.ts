import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { type Carved, carve } from '../../../src/recovery/carve.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const NO_CONFIG = { timescale: 48_000, config: new Uint8Array(0), framing: 'raw' } as const
const opus: TrackDescription = { ...NO_CONFIG, id: 2, kind: 'audio', codec: 'opus', sampleRate: 48_000 }
const timeCode: TrackDescription = { ...NO_CONFIG, id: 3, kind: 'data', codec: 'tmcd' }
const telemetry: TrackDescription = { ...NO_CONFIG, id: 4, kind: 'data', codec: 'tele' }

/** A temporal delimiter and a frame header that shows a frame decoded before, AV1 specification §5.6 and §5.9.2. */
const SHOWS_EXISTING = [0x12, 0, 0x1a, 1, 0x98]

/**
 * Pictures and sound of which one or both carry no length, a time code of four bytes at the beginning and telemetry that begins
 * alike twice a second.
 */
function record(codec: 'vp8' | 'vp9' | 'av1', seed: number, rounds: number) {
  const fixture = streamFixture(codec)
  const tables = [0, 1, 2, 3].map(() => new SampleTable())
  const bytes: number[] = []
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >> 12) % below
  }
  const push = (lane: number, unit: Iterable<number>, duration: number): void => {
    const offset = bytes.length
    bytes.push(...unit)
    const { length } = tables[lane]
    tables[lane].push(offset, bytes.length - offset, 1, duration, length, SAMPLE_KEY)
    tables[lane].dts[length] = length * duration
  }
  push(2, [0, 1, seed, 9], 480_000)
  for (let picture = 0; picture < fixture.packets.length * rounds; picture++) {
    for (; tables[1].length / 50 <= picture / 30; )
      push(1, [0xfc, ...Array.from({ length: 100 + random(20) }, () => random(256))], 960)
    if (picture % 15 === 7)
      push(
        3,
        [...Buffer.from('TELE'), 0, picture & 255, ...Array.from({ length: 34 }, () => random(256))],
        24_000,
      )
    const { offset, size } = fixture.packets[picture % fixture.packets.length]
    const shows = codec === 'av1' && picture % 9 === 4
    push(0, shows ? SHOWS_EXISTING : fixture.bytes.subarray(offset, offset + size), 3_000)
  }
  const video = { ...trackOf(fixture, 'raw'), timescale: 90_000 }
  const tracks = [video, opus, timeCode, telemetry].map((description, i) => ({
    description,
    table: tables[i],
  }))
  return { bytes: Uint8Array.from(bytes), tracks }
}

type Recording = ReturnType<typeof record>

/** Share of each track's units that were found with their exact bytes. */
function shares(carved: Carved, original: Recording): number[] {
  return original.tracks.map(({ table }, lane) => {
    const there = carved.tracks[lane].table
    const found = new Set(
      Array.from({ length: there.length }, (_, row) => `${there.offset[row]}+${there.size[row]}`),
    )
    let exact = 0
    for (let row = 0; row < table.length; row++)
      if (found.has(`${table.offset[row]}+${table.size[row]}`)) exact++
    return exact / table.length
  })
}

describe.each(['vp8', 'vp9', 'av1'] as const)('%s and Opus beside time code and telemetry', (codec) => {
  it('are found, each unit of each of the four tracks', async () => {
    const original = record(codec, 4, 16)
    const sample = record(codec, 3, 12)
    const carved = await carve({
      reader: readerOf(original.bytes),
      regions: [{ offset: 0, length: original.bytes.length }],
      sample: { reader: readerOf(sample.bytes), tracks: sample.tracks },
      limits: DEFAULT_LIMITS,
      monitor: SILENT,
    })
    const [pictures, sounds, times, data] = shares(carved, original)
    expect(pictures).toBeGreaterThan(0.95)
    expect(sounds).toBeGreaterThan(0.95)
    expect(times).toBe(1)
    expect(data).toBeGreaterThan(0.95)
    expect(carved.tracks.map(({ table }) => table.length)[2]).toBe(1)
  })
})
