import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { BitSink } from '../../../src/codecs/jpeg/bit-sink.ts'
import { entropyData } from '../../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable, encodingTable } from '../../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../../src/codecs/jpeg/mcu-layout.ts'
import { RefinementReader } from '../../../src/codecs/jpeg/progressive-readers.ts'
import { ScanDecoder } from '../../../src/codecs/jpeg/scan-decoder.ts'
import { HuffmanTables } from '../../../src/codecs/jpeg/tables.ts'
import { repair } from '../../../src/engine.ts'
import { scaledTable } from '../../../src/photo/frame/estimate-quantisation.ts'
import { writeFrame } from '../../../src/syntax/jpeg-markers/frame.ts'
import { writeHuffman } from '../../../src/syntax/jpeg-markers/huffman.ts'
import { DHT, DQT, EOI, SOF2, SOI, SOS } from '../../../src/syntax/jpeg-markers/markers.ts'
import { writeQuantisation } from '../../../src/syntax/jpeg-markers/quantisation.ts'
import { type ScanHeader, writeScanHeader } from '../../../src/syntax/jpeg-markers/scan-header.ts'
import { writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'
import {
  AC,
  DC,
  LAYOUT,
  levelScan,
  onesScan,
  REFINED,
  refined,
  refinementScan,
  runsScan,
} from './progressive-scans.ts'

describe('runs of empty blocks in a refinement', () => {
  it.each([
    [32_767, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, false],
    [32_767, 80, Number.POSITIVE_INFINITY, false],
    [4, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, false],
    [1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, false],
    [32_767, 80, 30, true],
    [4, Number.POSITIVE_INFINITY, 30, true],
  ])(
    'of at most %i with room for %s corrections that end before each %s are parted where they could go on: %s',
    (most, room, every, parted) => {
      const { bytes, before, huffman } = runsScan(most, LAYOUT, room, every)
      const tables = new HuffmanTables()
      tables.define([huffman])
      const decoder = new ScanDecoder(LAYOUT, before, REFINED, tables, true)
      const data = entropyData(bytes, 0, bytes.length, () => true)
      const progress = decoder.decode(data, 0)
      expect(progress.whole).toBe(true)
      expect(progress.parted).toBe(parted)
    },
  )

  it.each([
    [Number.POSITIVE_INFINITY, 'healthy'],
    [30, 'partial'],
  ])('that end before each %s make a picture %s', async (every, verdict) => {
    const { bytes, before, huffman } = runsScan(32_767, LAYOUT, Number.POSITIVE_INFINITY, every)
    const { components } = REFINED
    const scan = (header: Omit<ScanHeader, 'components'>): Uint8Array =>
      writeSegment(SOS, writeScanHeader({ ...header, components }))
    const frame = { marker: SOF2, precision: 8, width: 320, height: 240 }
    const whole = Buffer.concat([
      Uint8Array.of(0xff, SOI),
      writeSegment(DQT, writeQuantisation([{ id: 0, width: 1, values: scaledTable(0, 85) }])),
      writeSegment(SOF2, writeFrame({ ...frame, components: [{ id: 1, h: 1, v: 1, table: 0 }] })),
      writeSegment(DHT, writeHuffman([DC, AC])),
      ...[scan({ first: 0, last: 0, high: 0, low: 0 }), levelScan()],
      ...[scan({ ...REFINED, high: 0, low: 1 }), onesScan(before)],
      writeSegment(DHT, writeHuffman([huffman])),
      ...[scan(REFINED), bytes, Uint8Array.of(0xff, EOI)],
    ])
    const damaged = { source: new MemorySource(Uint8Array.from(whole)), name: 'photo.jpg' }
    expect((await repair({ damaged, sink: new MemorySink() })).verdict).toBe(verdict)
  })

  it('that are never parted are soon parted where reading is at another block', () => {
    const { bytes, before, huffman } = runsScan(32_767)
    const data = entropyData(bytes, 0, bytes.length, () => true)
    const reader = new RefinementReader(data.bytes, data.length, decodingTable(huffman), REFINED, before)
    /** Blocks read from the scan's beginning as those from `first` on, up to what cannot be or a parted run. */
    const readFrom = (first: number): number => {
      reader.restart()
      let at = 0
      for (let block = first; block < LAYOUT.mcuCount; block++) {
        at = reader.read(at, block * 64, false)
        if (at < 0 || reader.parted >= 0) return block - first
      }
      return LAYOUT.mcuCount - first
    }
    expect(readFrom(0)).toBe(LAYOUT.mcuCount)
    for (let first = 1; first < 40; first++) expect(readFrom(first)).toBeLessThan(100)
  })
})

describe('a refinement of a progressive picture', () => {
  it('is read as it is where it is sound', () => {
    const { bytes, before, after } = refinementScan()
    const unknown = new Uint8Array(LAYOUT.mcuCount)
    expect(refined(bytes, before, after, unknown)).toEqual({
      whole: true,
      right: LAYOUT.mcuCount,
      unknown: 0,
    })
  })

  it('goes on behind bytes that are lost, at the block that is coded there', () => {
    const { bytes, before, after } = refinementScan()
    const damaged = Uint8Array.from(bytes)
    damaged.fill(0, 1_500, 1_800)
    const zeros = refined(damaged, before, after, new Uint8Array(LAYOUT.mcuCount))
    expect(zeros.whole).toBe(false)
    expect(zeros.right).toBeGreaterThan(LAYOUT.mcuCount * 0.85)
    expect(zeros.right + zeros.unknown).toBeGreaterThan(LAYOUT.mcuCount - 4)
    const cut = new Uint8Array(bytes.length - 100)
    cut.set(bytes.subarray(0, 1_500))
    cut.set(bytes.subarray(1_600), 1_500)
    const without = refined(cut, before, after, new Uint8Array(LAYOUT.mcuCount))
    expect(without.right).toBeGreaterThan(LAYOUT.mcuCount * 0.75)
  })

  it.each([
    [
      'each block with an end of its own',
      (layout: McuLayout) => ({ ...refinementScan(layout), huffman: AC }),
    ],
    ['runs that are never parted', (layout: McuLayout) => runsScan(32_767, layout)],
    ['runs with little room for corrections', (layout: McuLayout) => runsScan(32_767, layout, 250)],
  ])('goes on behind each of several stretches of bytes that are lost: %s', (_, scanOf) => {
    const layout = new McuLayout(960, 720, LAYOUT.components)
    const { bytes, before, after, huffman } = scanOf(layout)
    const damaged = Uint8Array.from(bytes)
    for (let at = 2_000; at < bytes.length - 2_000; at += 3_000) damaged.fill(0, at, at + 300)
    const unknown = new Uint8Array(layout.mcuCount)
    const { right, unknown: left } = refined(damaged, before, after, unknown, layout, huffman)
    expect(right).toBeGreaterThan(layout.mcuCount * 0.8)
    expect(right + left).toBeGreaterThan(layout.mcuCount - 40)
  })

  it('goes on behind blocks of which scans before were lost', () => {
    const { bytes, before, after } = refinementScan()
    const unknown = new Uint8Array(LAYOUT.mcuCount).fill(1, 300, 360)
    const known = Int16Array.from(before).fill(0, 300 * 64, 360 * 64)
    const { whole, right, unknown: left } = refined(bytes, known, after, unknown)
    expect(whole).toBe(false)
    expect(right).toBeGreaterThan(LAYOUT.mcuCount * 0.9)
    expect(left).toBeLessThan(110)
  })

  it('goes on behind blocks that were lost and others that scans before put at a wrong place', () => {
    const layout = new McuLayout(480, 480, LAYOUT.components)
    const { bytes, before, after, huffman } = runsScan(32_767, layout)
    const unknown = new Uint8Array(layout.mcuCount).fill(1, 1_000, 1_040)
    const known = Int16Array.from(before).fill(0, 1_000 * 64, 1_040 * 64)
    known.copyWithin(1_040 * 64, 1_041 * 64, 1_160 * 64)
    const { right, unknown: left } = refined(bytes, known, after, unknown, layout, huffman)
    expect(right).toBeGreaterThan(layout.mcuCount * 0.9)
    expect(left).toBeLessThan(260)
  })

  it('goes on behind the next blocks that were lost where all those between are at a wrong place', () => {
    const layout = new McuLayout(960, 720, LAYOUT.components)
    const { bytes, before, after, huffman } = runsScan(32_767, layout)
    const unknown = new Uint8Array(layout.mcuCount).fill(1, 1_000, 1_040).fill(1, 1_500, 1_540)
    const known = Int16Array.from(before)
      .fill(0, 1_000 * 64, 1_040 * 64)
      .fill(0, 1_500 * 64, 1_540 * 64)
    known.copyWithin(1_040 * 64, 1_046 * 64, 1_506 * 64)
    const { right, unknown: left } = refined(bytes, known, after, unknown, layout, huffman)
    expect(right).toBeGreaterThan(layout.mcuCount * 0.9)
    expect(left).toBeLessThan(700)
  })

  it('goes on behind blocks that were lost where those in front of them are wrong', () => {
    const layout = new McuLayout(480, 480, LAYOUT.components)
    const { bytes, before, after, huffman } = runsScan(32_767, layout)
    const unknown = new Uint8Array(layout.mcuCount).fill(1, 1_000, 1_500)
    const known = Int16Array.from(before).fill(0, 980 * 64, 1_500 * 64)
    const { right } = refined(bytes, known, after, unknown, layout, huffman)
    expect(right).toBeGreaterThan(layout.mcuCount * 0.8)
  })

  it('goes on in a run of empty blocks that reaches over all those that were lost', () => {
    const layout = new McuLayout(960, 720, LAYOUT.components)
    const endless = Number.POSITIVE_INFINITY
    const { bytes, before, after, huffman } = runsScan(32_767, layout, endless, endless, [980, 9_000])
    const unknown = new Uint8Array(layout.mcuCount).fill(1, 1_000, 5_000)
    const { right } = refined(bytes, before, after, unknown, layout, huffman)
    expect(right).toBeGreaterThan(layout.mcuCount * 0.95)
  })

  it('is read on behind what cannot be where no place leads to its end, when no scan needs what it brings', () => {
    const { codes, lengths } = encodingTable(AC)
    const sink = new BitSink(1 << 12)
    for (let block = 0; block < LAYOUT.mcuCount / 2; block++) {
      // two blocks hold ones, with which no code begins
      if (block === 10 || block === 300) sink.put(0xffff, 16)
      else {
        sink.put(codes[1], lengths[1])
        sink.put(1, 1)
        sink.put(codes[0], lengths[0])
      }
    }
    const bytes = sink.bytes()
    const nothing = new Int16Array(LAYOUT.mcuCount * LAYOUT.mcuLength)
    const ones = nothing.map((_, i) => (i % 64 === 1 && i / 64 < LAYOUT.mcuCount / 2 ? 1 : 0))
    const unknown = new Uint8Array(LAYOUT.mcuCount)
    expect(refined(bytes, nothing, ones, unknown).right).toBe(LAYOUT.mcuCount - 2)
    expect(unknown.indexOf(1)).toBe(10)
  })

  it('says where bits are no block of it', () => {
    const nothing = new Uint8Array(64).fill(0xff)
    const reader = new RefinementReader(nothing, 32, decodingTable(AC), REFINED, new Int16Array(64))
    expect(reader.read(0, 0, false)).toBe(-1)
  })
})
