import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { trackReports as asfReports } from '../../src/formats/asf/outcome.ts'
import { PacketTable, PayloadTable } from '../../src/formats/asf/read/packet-table.ts'
import { trackReport as aviReport } from '../../src/formats/avi/outcome.ts'
import {
  DAMAGED as CHUNK_DAMAGED,
  LOST as CHUNK_LOST,
  ChunkTable,
} from '../../src/formats/avi/read/chunk-table.ts'
import type { AviStream } from '../../src/formats/avi/read/stream.ts'
import { trackReports as flvReports } from '../../src/formats/flv/outcome.ts'
import { DAMAGED, DROPPED, ESTIMATED, TagTable, VIDEO } from '../../src/formats/flv/read/tag-table.ts'
import type { TrackReport } from '../../src/model/report.ts'

/** Units of which a picture comes every 40 ms. */
const STEP = 40

type Account = readonly [recovered: number, damaged: number, lost: number]

function accountOf({ recovered, damaged, lost }: TrackReport): Account {
  return [recovered, damaged, lost]
}

/** What a fault needs to show: times in ms of what was found, the rows behind holes, and what the header tells. */
interface Case {
  readonly times: readonly number[]
  readonly holes?: readonly number[]
  /** The file's own head is there: its first unit comes at `first`, and it lasts so many ms. */
  readonly head?: { readonly first: number; readonly duration: number }
  readonly step?: number
}

const CASES: readonly [string, Case, Account][] = [
  [
    'nothing is lost where nothing is missing',
    { times: [0, 40, 80], head: { first: 0, duration: 120 } },
    [3, 0, 0],
  ],
  ['what is missing behind a hole is lost', { times: [0, 40, 120], holes: [2] }, [3, 0, 1]],
  ['two steps behind a hole are two units', { times: [0, 120], holes: [1] }, [2, 0, 2]],
  ['a pause without a hole is none', { times: [0, 400] }, [2, 0, 0]],
  ['a hole that took no time is no loss', { times: [0, 40, 103], holes: [2] }, [3, 0, 0]],
  [
    'what the header says came behind the last is lost',
    { times: [0, 40], head: { first: 0, duration: 160 } },
    [2, 0, 2],
  ],
  ['what has no usual step tells no losses', { times: [0, 400], holes: [1], step: 0 }, [2, 0, 0]],
  ['a time out of all reason is no loss', { times: [0, 4e9], holes: [1], step: 1 }, [2, 0, 0]],
]

describe('of an ASF file', () => {
  it.each(CASES)('%s', (_, { times, holes = [], head, step = STEP }, account) => {
    expect(accountOf(asf(times, holes, head, step))).toEqual(account)
  })

  it('units that were hit are damaged', () => {
    expect(accountOf(asf([0, 40, 80], [], undefined, STEP, [1]))).toEqual([2, 1, 0])
  })
})

describe('of an FLV file', () => {
  it.each(CASES)('%s', (_, { times, holes = [], head, step = STEP }, account) => {
    expect(accountOf(flv(times, holes, head, step))).toEqual(account)
  })

  it('what came in front of the first that is left of a file without its head is lost', () => {
    expect(accountOf(flv([80, 120], [], undefined, STEP))).toEqual([2, 0, 2])
  })

  it('units that were hit are damaged, those left out are none, and a time that was estimated makes all so', () => {
    const report = flv([0, 40, 80], [], { first: 0, duration: 120 }, STEP, [0, DAMAGED, DROPPED])
    expect(accountOf(report)).toEqual([1, 1, 1])
    expect(report.times).toBe('exact')
    expect(flv([0, 40], [], undefined, STEP, [0, ESTIMATED]).times).toBe('estimated')
  })
})

describe('of an AVI file', () => {
  it('chunks are counted by what became of them, each at its place', () => {
    const report = avi([0, CHUNK_DAMAGED, CHUNK_LOST, 0], 4)
    expect(accountOf(report)).toEqual([2, 1, 1])
    expect(report.ranges.map(({ state, start, offset }) => [state, start, offset])).toEqual([
      ['recovered', 0, 0],
      ['damaged', 0.04, 10],
      ['lost', 0.08, undefined],
      ['recovered', 0.12, 30],
    ])
    expect([report.duration, report.times]).toEqual([0.16, 'exact'])
  })

  it('pictures that the header counts and no chunk has are lost, but not more than the file has bytes', () => {
    expect(accountOf(avi([0, 0], 6))).toEqual([2, 0, 4])
    expect(accountOf(avi([0, 0], 1000))).toEqual([2, 0, 0])
    expect(accountOf(avi([0, 0], 6, 'audio'))).toEqual([2, 0, 0])
  })
})

function asf(
  times: readonly number[],
  holes: readonly number[],
  head: Case['head'],
  step: number,
  damaged: readonly number[] = [],
): TrackReport {
  const payloads = new PayloadTable(100)
  const packets = new PacketTable()
  for (const [row, time] of times.entries()) {
    const object = {
      number: row,
      position: 0,
      size: 10,
      time,
      key: true,
      compressed: false,
      replicated: 0,
      stream: 1,
    }
    payloads.push({ ...object, offset: row * 10, data: row * 10, length: 10 }, 0)
    packets.push(row * 10, 10, row, time, step, 0, 0)
  }
  const stream = { number: 1, kind: 'video', codec: 'wmv2' }
  const found = holes.map((row) => ({ row, packet: row }))
  const assessment = {
    scan: { payloads, packets, holes: found },
    objects: [{ stream, rows: Uint32Array.from(times.keys()), step }],
    span: { first: head?.first ?? times[0], end: 1000 },
    header: { whole: head !== undefined, file: head && { playDuration: head.duration * 10_000, preroll: 0 } },
    damaged: new Set(damaged),
    times: { mended: 0, estimated: 0 },
  }
  return asfReports(assessment as unknown as Parameters<typeof asfReports>[0])[0]
}

function flv(
  times: readonly number[],
  holes: readonly number[],
  head: Case['head'],
  step: number,
  flags: readonly number[] = [],
): TrackReport {
  const table = new TagTable(100)
  for (const [row, time] of times.entries()) table.push(row * 10, 10, time, VIDEO, 'h264', flags[row] ?? 0)
  const assessment = {
    scan: { table, holes: holes.map((row) => ({ row })), head: head !== undefined },
    streams: [{ kind: VIDEO, codec: 'h264', rows: Uint32Array.from(times.keys()) }],
    times: { steps: new Map([[VIDEO, step]]) },
    metadata: head && { duration: head.duration / 1000 },
    length: { first: 0, seconds: 1 },
  }
  const reader = new ByteReader(new MemorySource(new Uint8Array(100)))
  return flvReports(reader, assessment as unknown as Parameters<typeof flvReports>[1])[0]
}

/** Chunks of ten bytes each at 25 a second in a file of 100 bytes. */
function avi(flags: readonly number[], counted: number, kind: 'video' | 'audio' = 'video'): TrackReport {
  const chunks = new ChunkTable(100)
  for (const [row, flag] of flags.entries()) chunks.push(row * 10, 10, 0, 0, flag)
  chunks.push(90, 10, 0, 1, 0)
  const stream: AviStream = {
    number: 0,
    header: { type: 'vids', handler: '', scale: 1, rate: 25, start: 0, length: counted, sampleSize: 0 },
    parts: [],
    description: { id: 1, kind, codec: 'mjpeg', config: new Uint8Array(0), framing: 'raw', timescale: 25 },
    bitmap: undefined,
    wave: undefined,
  }
  return aviReport(new ByteReader(new MemorySource(new Uint8Array(100))), chunks, stream, false)
}
