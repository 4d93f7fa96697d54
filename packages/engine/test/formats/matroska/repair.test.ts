import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeHashes, type StreamHashes } from '@mendframe/renderer'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { diagnose } from '../../../src/engine.ts'
import { assess } from '../../../src/formats/matroska/assess.ts'
import {
  CLUSTER,
  CRC_32,
  DURATION,
  EBML,
  INFO,
  SEGMENT,
  TRACKS,
  VOID,
} from '../../../src/formats/matroska/ids.ts'
import { walk } from '../../../src/formats/matroska/read/walk.ts'
import {
  clusterHeaderZeroed,
  clusters,
  headLost,
  live,
  RECIPES,
  topElements,
} from '../../../src/formats/matroska/recipes.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { readChildren } from '../../../src/syntax/ebml/element.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const FIXTURES = ['mkv-h264-aac.mkv', 'webm-vp9-opus.webm'] as const
type Name = (typeof FIXTURES)[number]

function fixture(name: string): Uint8Array {
  const url = new URL(`../../../testing/fixtures/matroska/${name}`, import.meta.url)
  return new Uint8Array(readFileSync(fileURLToPath(url)))
}

const sampleOf = (name: Name): Uint8Array => fixture(name.replace('.', '.sample.'))

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairRecording(damaged, 'mkv', sample)

interface Packet {
  readonly key: string
  readonly time: number
}

/** Packets as the format's own reader sees them: track and content, and milliseconds. */
async function packetsOf(bytes: Uint8Array): Promise<Packet[]> {
  const survey = await walk(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT, [])
  const { blocks } = survey
  return survey.runs.flatMap(({ firstRow, endRow, time = Number.NaN }) =>
    Array.from({ length: endRow - firstRow }, (_, i) => {
      const row = firstRow + i
      const content = bytes.subarray(blocks.payload[row], blocks.end[row])
      const key = `${blocks.track[row]} ${createHash('md5').update(content).digest('hex')}`
      return { key, time: time + blocks.relative[row] }
    }),
  )
}

/** The same as an independent demultiplexer sees it. */
async function seen(bytes: Uint8Array): Promise<Packet[]> {
  const streams = await inFile(bytes, (path) => decodeHashes(path, { frames: false }))
  return streams.flatMap(({ index, packets }) =>
    packets.map(({ md5, pts }) => ({ key: `${index} ${md5}`, time: (pts ?? Number.NaN) * 1000 })),
  )
}

/** What a decoder makes of a file. */
async function decoded(bytes: Uint8Array): Promise<StreamHashes[]> {
  return inFile(bytes, (path) => decodeHashes(path))
}

async function inFile<T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(tmpdir(), `mendframe-matroska-${randomUUID()}.mkv`)
  await writeFile(path, bytes)
  try {
    return await use(path)
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * How many packets there were, how many of them are there, and how many of those at their time: all may be earlier by one offset,
 * since what lost its beginning begins anew.
 */
function kept(before: Packet[], after: Packet[]): { all: number; same: number; timed: number } {
  const times = new Map(after.map(({ key, time }) => [key, time]))
  const shifts = before.flatMap(({ key, time }) => {
    const found = times.get(key)
    return found === undefined ? [] : [found - time]
  })
  const usual = [...shifts].sort((a, b) => a - b)[shifts.length >> 1] ?? 0
  const timed = shifts.filter((shift) => Math.abs(shift - usual) < 1.5)
  return { all: before.length, same: shifts.length, timed: timed.length }
}

/** Least share of the packets that a damage leaves, where it is not all of them. */
const LEFT: Readonly<Record<string, number>> = {
  'truncated at 70%': 0.5,
  'zero tail from 70%': 0.5,
  'as it was being written and cut': 0.6,
  'head zeroed': 0.6,
  'head cut away': 0.6,
  'three blocks zeroed': 0.75,
  'three blocks overwritten': 0.75,
  'twenty bits flipped': 0.6,
}
/** Milliseconds for what decodes whole recordings in processes of their own. */
const DECODING = 30_000
/** Packets that a small damage may cost. */
const FEW = 4

describe('a healthy recording', () => {
  it.each(FIXTURES)('%s is called healthy and nothing is written', async (name) => {
    const { report, bytes } = await repaired(fixture(name))
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(report.verdict).toBe('healthy')
    expect(bytes.length).toBe(0)
  })
})

it('tracks that stand behind their blocks hold, whatever a sample has', async () => {
  const whole = fixture('mkv-h264-aac.mkv')
  const { elements, segment, runs, tracks } = await walk(
    new ByteReader(new MemorySource(whole)),
    DEFAULT_LIMITS,
    SILENT,
    [],
  )
  const part = (id: number): Uint8Array[] =>
    elements.filter((element) => element.id === id).map(({ offset, end }) => whole.subarray(offset, end))
  const clusterBytes = runs.map(({ offset, end }) => whole.subarray(offset, end))
  const head = whole.slice(0, segment?.body)
  // an unknown size, of eight bytes
  head.set([1, 255, 255, 255, 255, 255, 255, 255], head.length - 8)
  const late = Uint8Array.from(Buffer.concat([head, ...part(INFO), ...clusterBytes, ...part(TRACKS)]))
  const blocksOf = async (sampled: number) => {
    const reader = new ByteReader(new MemorySource(late))
    const sample = { tracks: tracks.slice(0, sampled), scale: 1e6, clusterDistance: 0 }
    const { survey } = await assess(reader, DEFAULT_LIMITS, SILENT, sample)
    return { blocks: survey.blocks.length, gaps: survey.gaps.length, tracks: survey.tracks }
  }
  expect(await blocksOf(1)).toEqual(await blocksOf(0))
  expect((await blocksOf(0)).tracks).toHaveLength(2)
})

it('a height whose name has a turned bit is told by it, as players refuse pictures with a width alone', async () => {
  const [name] = FIXTURES
  const whole = fixture(name)
  const tracksOf = async (bytes: Uint8Array) =>
    (await walk(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT, [])).tracks
  const [{ entry, description }] = await tracksOf(whole)
  const at = Buffer.from(whole).indexOf(entry)
  const height = entry.findIndex((id, i) => id === 0xba && entry[i + 1] <= 0x82 && i > entry.indexOf(0xe0))
  const damaged = whole.slice()
  damaged[at + height] ^= 4
  const { report, bytes } = await repaired(damaged)
  expect(report.verdict).toBe('repaired')
  expect(report.findings.map(({ code }) => code)).toContain('matroska.element-broken')
  expect((await tracksOf(bytes))[0]).toEqual((await tracksOf(whole))[0])
  expect(description.height).toBeGreaterThan(0)
})

describe.each(FIXTURES)('%s with a sample', (name) => {
  it.each(RECIPES.filter(({ name: damage }) => damage !== 'twenty bits flipped'))(
    '$name: what survives is back at its time',
    async ({ name: damage, apply }) => {
      const whole = fixture(name)
      const { report, bytes } = await repaired(apply(whole, 3), sampleOf(name))
      expect(['repaired', 'partial'], `${report.reason}`).toContain(report.verdict)
      const { all, same, timed } = kept(await packetsOf(whole), await packetsOf(bytes))
      expect(same).toBeGreaterThanOrEqual(Math.floor((LEFT[damage] ?? 1) * all) - FEW)
      expect(timed).toBe(same)
      const again = await diagnose({ file: { source: new MemorySource(bytes), name: 'result.mkv' } })
      expect(again.findings.filter(({ code }) => /cues|duration|seek|size|time|missing/.test(code))).toEqual(
        [],
      )
    },
  )
})

describe('a recording whose head is gone', () => {
  it('is repaired with a sample whose configuration its key pictures read with', async () => {
    const { report } = await repaired(headLost(fixture('mkv-h264-aac.mkv')), sampleOf('mkv-h264-aac.mkv'))
    expect(report.verdict).toBe('repaired')
    expect(report.sample?.used).toContain('codec configuration')
  })
})

it('a repaired recording without key pictures, to which no index can point, is healthy', async () => {
  const bytes = fixture('mkv-h264-aac.mkv')
  const { blocks } = await walk(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT, [])
  // the flags are the last byte in front of a block's payload
  for (let row = 0; row < blocks.length; row++)
    if (blocks.track[row] === 1) bytes[blocks.payload[row] - 1] &= 0x7f
  const { report, bytes: result } = await repaired(bytes)
  expect(report.verdict).not.toBe('unrepairable')
  const again = await diagnose({ file: { source: new MemorySource(result), name: 'result.mkv' } })
  expect(again.findings).toEqual([])
})

/** A recording without an index and a length, for which nothing in it keeps room; `sized`: it says where it ends. */
function bare(whole: Uint8Array, sized: boolean): Uint8Array {
  const reader = new ByteReader(new MemorySource(whole))
  const filledLater: readonly number[] = [DURATION, VOID, CRC_32]
  const head: Uint8Array[] = []
  const inside: Uint8Array[] = []
  for (const { id, offset, body, end } of topElements(whole)) {
    const name = whole.subarray(offset, offset + 4)
    if (id === EBML) head.push(whole.subarray(offset, end))
    if (id === SEGMENT) head.push(name)
    if (id === TRACKS) inside.push(whole.subarray(offset, end))
    if (id === CLUSTER) inside.push(name, Uint8Array.of(0xff), whole.subarray(body, end))
    if (id !== INFO) continue
    const { children } = readChildren(reader, body, end, 64)
    const kept = children.filter((child) => !filledLater.includes(child.id))
    const size = kept.reduce((sum, child) => sum + child.end - child.offset, 0)
    inside.push(name, Uint8Array.of(0x40 | (size >> 8), size & 0xff))
    inside.push(...kept.map((child) => whole.subarray(child.offset, child.end)))
  }
  const size = new Uint8Array(8).fill(0xff)
  size[0] = 1
  const length = inside.reduce((sum, part) => sum + part.length, 0)
  if (sized) new DataView(size.buffer).setUint32(4, length)
  if (sized) size.fill(0, 1, 4)
  return new Uint8Array(Buffer.concat([...head, size, ...inside]))
}

it.each(FIXTURES)('%s is whole without an index and a length for which it kept no room', async (name) => {
  const { report } = await repaired(bare(fixture(name), true))
  expect(report.verdict).toBe('healthy')
  expect(report.findings.map(({ code }) => code)).toContain('matroska.duration-missing')
})

it.each(FIXTURES)('%s whose end was never written, as browsers record, becomes seekable', async (name) => {
  const { report, bytes } = await repaired(bare(fixture(name), false))
  expect(report.verdict).toBe('repaired')
  const again = await diagnose({ file: { source: new MemorySource(bytes), name: 'result.mkv' } })
  expect(again.findings).toEqual([])
})

describe('a recording that was being written', () => {
  it.each(FIXTURES)('%s comes out with an index and its length, and is called repaired', async (name) => {
    const whole = fixture(name)
    const { report, bytes } = await repaired(live(whole))
    expect(report.findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['matroska.cues-missing']))
    expect(report.verdict).toBe('repaired')
    expect(report.doubts).toBeUndefined()
    const { all, timed } = kept(await seen(whole), await seen(bytes))
    expect(timed).toBe(all)
  })

  it.each(FIXTURES)(
    '%s, cut off as well, comes out with a length and an index in which nothing is wrong',
    async (name) => {
      const unfinished = live(fixture(name))
      const { bytes } = await repaired(unfinished.subarray(0, Math.floor(unfinished.length * 0.8)))
      const result = await diagnose({ file: { source: new MemorySource(bytes), name } })
      expect(result.findings).toEqual([])
    },
  )
})

describe('a Cluster whose header is gone', () => {
  it('has its time from the blocks around it', async () => {
    const whole = fixture('mkv-h264-aac.mkv')
    const { report, bytes } = await repaired(clusterHeaderZeroed(whole))
    expect(report.findings.map(({ code }) => code)).toContain('matroska.cluster-time')
    const { all, same, timed } = kept(await seen(whole), await seen(bytes))
    expect(same).toBeGreaterThanOrEqual(all - 1)
    expect(timed).toBe(same)
  })
})

describe('a recording without its head and without a sample', () => {
  it.each(FIXTURES)(
    '%s: what its tracks are is found out by their frames, which tell all of it',
    async (name) => {
      const whole = fixture(name)
      const damaged = headLost(whole)
      const { report, bytes } = await repaired(damaged)
      expect(report.verdict).toBe('repaired')
      const { all, timed } = kept(await packetsOf(whole), await packetsOf(bytes))
      expect(timed).toBe(all)
      const before = await decoded(whole)
      const after = await decoded(bytes)
      expect(after.map(({ codec }) => codec)).toEqual(before.map(({ codec }) => codec))
      expect(after[0]?.frames.map(({ md5 }) => md5)).toEqual(before[0]?.frames.map(({ md5 }) => md5))
    },
    DECODING,
  )

  it('whose pictures do not tell all of their coding is a doubt', async () => {
    const damaged = headLost(fixture('mkv-h264-aac.mkv'))
    // what the encoder says of itself in front of the first picture
    const note = Buffer.from(damaged).indexOf('x264 - core')
    damaged.fill(0x78, note, note + 11)
    const { report } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    expect(report.doubts?.map(({ code }) => code)).toContain('assumed')
  })

  it('of which nothing tells what it holds has no result', async () => {
    const damaged = headLost(fixture('webm-vp9-opus.webm'))
    // numbers that no track has leave nothing to go by
    const { start, end } = clusters(damaged)
    damaged.fill(0x55, start + 200, end)
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toBeTruthy()
    expect(bytes.length).toBe(0)
  })
})

describe('what is stored beside pictures and sound', () => {
  it('is a doubt where it was hit, though every picture is there', async () => {
    const damaged = fixture('mkv-h264-aac.mkv')
    // the seek head names the element first
    const tags = Buffer.from(damaged).lastIndexOf(Buffer.from([0x12, 0x54, 0xc3, 0x67]))
    damaged.fill(0, tags + 20, tags + 40)
    const { report } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    expect(report.doubts?.map(({ code }) => code)).toEqual(['beside'])
    expect(report.tracks.every(({ lost, damaged }) => lost + damaged === 0)).toBe(true)
  })
})
