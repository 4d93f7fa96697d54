import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { type Carved, carve } from '../../../src/recovery/carve.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

/** Full band, 20 ms, stereo, one frame, RFC 6716 §3.1: CELT alone, and with a linear predictor for the lower bands. */
const TOC = 0xfc
const HYBRID = 0x7c
const SOUND_SECONDS = 0.02

const opus: TrackDescription = {
  ...{ id: 2, kind: 'audio', codec: 'opus', timescale: 48_000, config: new Uint8Array(0), framing: 'raw' },
  ...{ sampleRate: 48_000, channels: 2 },
}

interface Settings {
  readonly codec: 'vp8' | 'vp9' | 'av1'
  readonly rate: number
  /** Times that the stored pictures are repeated. */
  readonly rounds: number
  /** Usual bytes of a sound packet. */
  readonly soundBytes: number
  readonly seed: number
  readonly silent?: boolean
  readonly toc?: number
}

/** A recording whose units lie in the order of their times, as multiplexers write them. */
function record({ codec, rate, rounds, soundBytes, seed, silent = false, toc = TOC }: Settings) {
  const fixture = streamFixture(codec)
  const video = { ...trackOf(fixture, 'raw'), timescale: 90_000 }
  const tables = [new SampleTable(), new SampleTable()]
  const bytes: number[] = []
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >> 12) % below
  }
  const push = (lane: number, unit: Iterable<number>, duration: number, row: number): void => {
    const offset = bytes.length
    bytes.push(...unit)
    tables[lane].push(offset, bytes.length - offset, 1, duration, row, SAMPLE_KEY)
    tables[lane].dts[row] = row * duration
  }
  const pictures = fixture.packets.length * rounds
  let sounds = 0
  for (let picture = 0; picture < pictures; picture++) {
    for (; !silent && sounds * SOUND_SECONDS <= picture / rate; sounds++) {
      const size = soundBytes + random(9)
      push(1, [toc, ...Array.from({ length: size }, () => random(256))], 960, sounds)
    }
    const { offset, size } = fixture.packets[picture % fixture.packets.length]
    push(0, fixture.bytes.subarray(offset, offset + size), 90_000 / rate, picture)
  }
  const tracks = silent
    ? [{ description: video, table: tables[0] }]
    : [
        { description: video, table: tables[0] },
        { description: opus, table: tables[1] },
      ]
  return { bytes: Uint8Array.from(bytes), tracks }
}

type Recording = ReturnType<typeof record>

function recover(damaged: Uint8Array, sample: Recording): Promise<Carved> {
  return carve({
    reader: readerOf(damaged),
    regions: [{ offset: 0, length: damaged.length }],
    sample: { reader: readerOf(sample.bytes), tracks: sample.tracks },
    limits: DEFAULT_LIMITS,
    monitor: SILENT,
  })
}

/** Share of a track's units between two places that were found with their exact bytes. */
function share(carved: Carved, original: Recording, track: number, from = 0, until = Infinity): number {
  const { table } = carved.tracks[track]
  const found = new Set(
    Array.from({ length: table.length }, (_, row) => `${table.offset[row]}+${table.size[row]}`),
  )
  const units = original.tracks[track].table
  let all = 0
  let exact = 0
  for (let row = 0; row < units.length; row++) {
    if (units.offset[row] < from || units.offset[row] + units.size[row] > until) continue
    all++
    if (found.has(`${units.offset[row]}+${units.size[row]}`)) exact++
  }
  return exact / all
}

describe.each(['vp8', 'vp9', 'av1'] as const)('%s and Opus without an index', (codec) => {
  const sample = record({ codec, rate: 30, rounds: 12, soundBytes: 90, seed: 3 })
  const settings = { codec, rate: 30, rounds: 16, soundBytes: 130, seed: 4 } as const

  it('are found by a sample whose packets have other sizes', async () => {
    const original = record(settings)
    const carved = await recover(original.bytes, sample)
    expect(share(carved, original, 0)).toBeGreaterThan(0.97)
    expect(share(carved, original, 1)).toBeGreaterThan(0.97)
    expect(carved.endsEstimated).toBe(true)
  })

  it('are found by a sample whose sound was coded in another mode', async () => {
    const original = record({ ...settings, toc: HYBRID })
    const carved = await recover(original.bytes, sample)
    expect(share(carved, original, 0)).toBeGreaterThan(0.97)
    expect(share(carved, original, 1)).toBeGreaterThan(0.97)
  })

  it('are found again behind foreign bytes', async () => {
    const original = record(settings)
    const from = Math.floor(original.bytes.length * 0.4)
    const noise = record({ ...settings, seed: 77 }).bytes.map((byte, i) => byte ^ (i * 31 + (i >> 5)))
    const damaged = original.bytes.slice()
    damaged.set(noise.subarray(0, 12_000), from)
    const carved = await recover(damaged, sample)
    expect(share(carved, original, 0, 0, from)).toBeGreaterThan(0.95)
    expect(share(carved, original, 1, 0, from)).toBeGreaterThan(0.95)
    expect(share(carved, original, 0, from + 15_000)).toBeGreaterThan(0.95)
    expect(share(carved, original, 1, from + 15_000)).toBeGreaterThan(0.9)
  })

  it('are found when the beginning is gone', async () => {
    const original = record(settings)
    const gone = 7_777
    const carved = await recover(original.bytes.subarray(gone), sample)
    const there = carved.tracks[0].table
    for (let row = 0; row < there.length; row++) there.offset[row] += gone
    expect(share(carved, original, 0, gone + 1000)).toBeGreaterThan(0.97)
  })

  it.each([TOC, 0, 0x86, 0x32])(
    'take 256 KiB of one value in time (%i)',
    async (value) => {
      const damaged = new Uint8Array(1 << 18).fill(value)
      const carved = await recover(damaged, sample)
      let bytes = 0
      for (const { table } of carved.tracks)
        for (let row = 0; row < table.length; row++) bytes += table.size[row]
      expect(bytes).toBeLessThanOrEqual(damaged.length)
    },
    8000,
  )

  it('take any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.nat(), async (random, at) => {
        const damaged = record({ ...settings, rounds: 2 }).bytes
        damaged.set(random.subarray(0, damaged.length), at % (damaged.length - random.length))
        const carved = await recover(damaged, sample)
        for (const { table } of carved.tracks) {
          let end = 0
          for (let row = 0; row < table.length; row++) {
            expect(table.offset[row]).toBeGreaterThanOrEqual(end)
            end = table.offset[row] + table.size[row]
          }
          expect(end).toBeLessThanOrEqual(damaged.length)
        }
      }),
      { numRuns: 15 },
    )
  })
})

describe('VP9 alone without an index', () => {
  it('is found picture by picture', async () => {
    const settings = { codec: 'vp9', rate: 25, soundBytes: 0, silent: true } as const
    const original = record({ ...settings, rounds: 9, seed: 5 })
    const carved = await recover(original.bytes, record({ ...settings, rounds: 5, seed: 6 }))
    expect(share(carved, original, 0)).toBe(1)
  })
})
