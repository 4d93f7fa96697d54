import { describe, expect, it } from 'vitest'
import { joined } from '../../../src/bytes/joined.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { type HoleLoss, lossesOf } from '../../../src/formats/avi/mend/losses.ts'
import { withStatedCounts } from '../../../src/formats/avi/mend/stated-counts.ts'
import { trimStart } from '../../../src/formats/avi/mend/trim-start.ts'
import { ChunkTable, LOST } from '../../../src/formats/avi/read/chunk-table.ts'
import { secondsOf } from '../../../src/formats/avi/read/clock.ts'
import { type AviFile, readFile } from '../../../src/formats/avi/read/file.ts'
import { indexLost } from '../../../src/formats/avi/recipes.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { config, film, layer } from '../../../testing/video/mpeg4-clocks.ts'

function read(bytes: Uint8Array): Promise<AviFile> {
  return readFile(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
}

/** A file with a hole of zeros from the header of a chunk on to that of another one, and what was in it. */
async function holed(bytes: Uint8Array, from: number, until: number) {
  const whole = await read(bytes)
  const { chunks } = whole.walk
  const streams = whole.header?.streams ?? []
  const damaged = indexLost(bytes).fill(0, chunks.offset[from] - 8, chunks.offset[until] - 8)
  let pictures = 0
  let sound = 0
  for (let row = from; row < until; row++) {
    if (chunks.stream[row] === 0) pictures++
    else sound += secondsOf(streams[chunks.stream[row]], chunks.size[row])
  }
  return { file: await read(damaged), streams, pictures, sound }
}

function lossesIn({ reader, walk }: AviFile, streams: NonNullable<AviFile['header']>['streams']) {
  const gaps = walk.gaps.filter(({ end, row }) => end > walk.movi && row < walk.chunks.length)
  const healthy = { reader, chunks: walk.chunks, from: 0, until: gaps[0].row }
  return lossesOf(reader, walk.chunks, gaps, streams, healthy, DEFAULT_LIMITS)
}

describe.each(fixturesOf(avi))('a hole in AVI $name', ({ bytes }) => {
  it('costs what numbers, bytes and the turns of sound and pictures tell', async () => {
    const { file, streams, pictures, sound } = await holed(bytes, 40, 56)
    const [loss] = [...lossesIn(file, streams).values()]
    expect(loss.pictures).toBe(pictures)
    expect(Math.abs((loss.others.get(1) ?? 0) - sound)).toBeLessThan(0.1)
  })

  it('costs what its own numbers tell where the end of the data is a hole, too: headers count both', async () => {
    const { file, streams, pictures } = await holed(bytes, 40, 56)
    const { chunks } = (await read(bytes)).walk
    const damaged = bytes.slice().fill(0, chunks.offset[40] - 8, chunks.offset[56] - 8)
    const both = await read(damaged.fill(0, chunks.offset[chunks.length - 12] - 8))
    expect(both.walk.gaps.length).toBe(file.walk.gaps.length + 1)
    const [loss] = [...withStatedCounts(lossesIn(both, streams), both.walk, streams).values()]
    expect(loss.pictures).toBe(pictures)
  })

  it('costs to the picture and the unit of sound what the headers count, and that is certain', async () => {
    const { file, streams, pictures, sound } = await holed(bytes, 30, 70)
    const guessed = new Map<number, HoleLoss>(
      [...lossesIn(file, streams)].map(([offset]) => [
        offset,
        {
          pictures: pictures + 3,
          others: new Map([[1, sound + 0.3]]),
          period: 0,
          numbered: false,
          certain: false,
        },
      ]),
    )
    const [counted] = [...withStatedCounts(guessed, file.walk, streams).values()]
    expect(counted.pictures).toBe(pictures)
    expect(counted.others.get(1)).toBeCloseTo(sound, 3)
    expect(counted.certain).toBe(true)
  })

  it('is told by the pictures around it: those far from it are not read', async () => {
    const { file, streams } = await holed(bytes, 40, 56)
    const [expected] = lossesIn(file, streams).values()
    const { chunks, gaps } = file.walk
    const before = gaps.find(({ row }) => row === 40) ?? gaps[0]
    const far = 1 << 24
    const table = new ChunkTable(DEFAULT_LIMITS.samplesPerTrack)
    /** Copies of the film's chunks, each of which lies elsewhere. */
    const add = (from: number, until: number, copy: number): void => {
      for (let row = from; row < until; row++)
        table.push(chunks.offset[row] + copy * far, chunks.size[row], chunks.id[row], chunks.stream[row], 0)
    }
    const copies = 120
    for (let copy = 1; copy <= copies; copy++) add(0, chunks.length, copy)
    const row = table.length + before.row
    add(0, chunks.length, 0)
    const looked = new Set<number>()
    const reader = new ByteReader({
      size: far * (copies + 1),
      read: (offset: number, into: Uint8Array) => {
        looked.add(Math.floor(offset / far))
        return file.reader.source.read(offset % far, into)
      },
    })
    const healthy = { reader: file.reader, chunks, from: 0, until: before.row }
    const [loss] = lossesOf(reader, table, [{ ...before, row }], streams, healthy, DEFAULT_LIMITS).values()
    // the same film over and over has numbers that go back
    expect(Math.abs(loss.pictures - expected.pictures)).toBeLessThanOrEqual(1)
    expect(looked.size).toBeLessThan(copies / 2)
  })

  it('is told from others by the pictures’ numbers, which repeat, where headers count all', async () => {
    const { file, streams, pictures } = await holed(bytes, 30, 70)
    const each = secondsOf(streams[0], 0)
    const [[offset, found]] = lossesIn(file, streams)
    const hole = (count: number): HoleLoss => ({
      ...found,
      ...{ pictures: count, others: new Map([[1, count * each]]), period: 15, certain: false },
    })
    const guessed = new Map([
      [offset, hole(pictures - 3 + 15)],
      [offset + 1, hole(3)],
    ])
    const counted = [...withStatedCounts(guessed, file.walk, streams).values()]
    expect(counted.map((loss) => loss.pictures)).toEqual([pictures - 3, 3])
    expect(counted.every(({ certain }) => certain)).toBe(true)
    expect(Math.abs((counted[1].others.get(1) ?? 0) - 3 * each)).toBeLessThan(0.2)
  })

  it('is counted by headers where the data ends with zeros that were an index, and the file where it says', async () => {
    const whole = Buffer.from(bytes)
    const movi = whole.indexOf('movi')
    const end = movi + whole.readUInt32LE(movi - 4)
    const longer = Buffer.concat([whole.subarray(0, end), Buffer.alloc(100), whole.subarray(end)])
    longer.writeUInt32LE(longer.readUInt32LE(4) + 100, 4)
    longer.writeUInt32LE(longer.readUInt32LE(movi - 4) + 100, movi - 4)
    expect((await read(longer)).walk.taken).toBe(0)
    expect((await read(longer.subarray(0, longer.length - 50))).walk.taken).toBeUndefined()
  })

  it('is not counted by headers where the end of the data is gone', async () => {
    const { file, streams } = await holed(bytes.subarray(0, bytes.length * 0.8), 30, 40)
    expect(file.walk.taken).toBeUndefined()
    const losses = lossesIn(file, streams)
    expect(withStatedCounts(losses, file.walk, streams)).toBe(losses)
  })
})

describe('a lost start', () => {
  it('goes as far as it is whole chunks of all streams, so that none is earlier than the others', async () => {
    const [{ bytes }] = fixturesOf(avi)
    const streams = (await read(bytes)).header?.streams ?? []
    const chunks = new ChunkTable(100)
    const [picture, unit] = [secondsOf(streams[0], 0), secondsOf(streams[1], 400)]
    const kind = { picture: 0x63643030, sound: 0x62773130 }
    for (let i = 0; i < 3; i++) chunks.push(-1, 0, kind.picture, 0, LOST)
    for (let i = 0; i < 2; i++) chunks.push(-1, 400, kind.sound, 1, LOST)
    chunks.push(1000, 500, kind.picture, 0, 0)
    const left = trimStart(chunks, streams, 100)
    const lost = (stream: number): number =>
      Array.from({ length: left.length }, (_, row) => row).filter(
        (row) => left.stream[row] === stream && left.flags[row] & LOST,
      ).length
    const before = 3 * picture - 2 * unit
    const after = lost(0) * picture - lost(1) * unit
    expect(left.length).toBeLessThan(chunks.length)
    expect(Math.abs(after - before)).toBeLessThan(Math.min(picture, unit) / 2 + 1e-9)
  })
})

describe('chunks without a picture', () => {
  /**
   * What a hole in front of chunk `before` cost in a film of pictures `step` ticks apart, by the first and the last picture in
   * each chunk; undefined is a chunk without one.
   */
  async function lossIn(
    chunks: readonly (readonly [number, number] | undefined)[],
    before: number,
    step: number,
  ) {
    const pictures = joined([config, film(layer.timeResolution, step, 5 * step)])
    const starts = [0, ...codes(Buffer.from(pictures)).slice(1), pictures.length]
    const fixture = fixturesOf(avi).find(({ name }) => name.includes('mpeg4'))
    const [stream] = (await read(fixture?.bytes ?? new Uint8Array(0))).header?.streams ?? []
    const table = new ChunkTable(DEFAULT_LIMITS.samplesPerTrack)
    const [next] = chunks.slice(before).find((pair) => pair !== undefined) ?? [0]
    let end = 0
    let offset = 0
    for (const [row, pair] of chunks.entries()) {
      if (row === before) [offset, end] = [end, starts[next]]
      const start = pair ? starts[pair[0]] : end
      end = pair ? starts[pair[1] + 1] : end
      table.push(start, end - start, 0, stream.number, 0)
    }
    const reader = new ByteReader(new MemorySource(pictures))
    const gap = { offset, end: starts[next], row: before }
    const healthy = { reader, chunks: table, from: before, until: table.length }
    const [loss] = lossesOf(reader, table, [gap], [stream], healthy, DEFAULT_LIMITS).values()
    return loss
  }

  it('stand for the second picture of the chunk before, or behind a hole for one of the chunk lost with it', async () => {
    const chunks: ([number, number] | undefined)[] = []
    for (let picture = 0; picture < 100; picture += 2) chunks.push([picture, picture + 1], undefined)
    const [from, until] = [50, 53]
    const left = chunks.filter((_, row) => row < from || row >= until)
    expect(await lossIn(left, from, 1)).toMatchObject({ pictures: until - from, certain: true })
  })

  it('at the beginning are numbered by the steps that pictures behind them show', async () => {
    const single = (picture: number): [number, number] => [picture, picture]
    const chunks = [single(0), undefined, undefined, ...Array.from({ length: 60 }, (_, i) => single(i + 3))]
    const left = chunks.filter((_, row) => row !== 4)
    expect(await lossIn(left, 4, 5)).toMatchObject({ pictures: 1, certain: true })
  })
})

/** Where planes begin. */
function codes(bytes: Buffer): number[] {
  return [...bytes.keys()].filter((at) => at + 4 <= bytes.length && bytes.readUInt32BE(at) === 0x1b6)
}
