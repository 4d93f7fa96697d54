import { crc32 as crcOf } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BitReader } from '../../src/bytes/bit-reader.ts'
import { BitWriter } from '../../src/bytes/bit-writer.ts'
import { crc32, crc32Of } from '../../src/bytes/crc32.ts'
import { ByteReader } from '../../src/bytes/reader.ts'
import { ShiftedSource } from '../../src/bytes/shifted-source.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { WindowSource } from '../../src/bytes/window-source.ts'
import { zeroRuns } from '../../src/bytes/zero-runs.ts'
import { filledBytes, hasZeroRun, isFiller, isZero } from '../../src/bytes/zeros.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { noise } from '../../testing/hostile-sources.ts'

const MIB = 2 ** 20

function readerOf(bytes: Uint8Array): ByteReader {
  return new ByteReader(new MemorySource(bytes))
}

/** Bytes of ones in which stretches have another value. */
function bytesWith(length: number, value: number, ...stretches: readonly (readonly [number, number])[]) {
  const bytes = new Uint8Array(length).fill(1)
  for (const [from, to] of stretches) bytes.fill(value, from, to)
  return bytes
}

/** Few different bytes, so that zeros stand in rows. */
const rows = fc.array(fc.constantFrom(0, 0, 0, 255, 1), { maxLength: 40 }).map((all) => Uint8Array.from(all))
const place = fc.integer({ min: 0, max: 45 })

it('rows of zeros are found as whoever looks at every byte finds them', async () => {
  await fc.assert(
    fc.asyncProperty(rows, place, place, fc.integer({ min: 1, max: 5 }), async (bytes, a, b, least) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      const reader = readerOf(bytes)
      const part = bytes.subarray(from, to)
      const text = [...part].map((byte) => (byte === 0 ? '0' : '1')).join('')
      const long = [...text.matchAll(/0+/g)].filter(([zeros]) => zeros.length >= least)
      const wanted = long.map(({ 0: zeros, index }) => ({ offset: from + index, length: zeros.length }))
      expect(await zeroRuns(reader, from, to, least, SILENT)).toEqual(wanted)
      const until = Math.min(to, bytes.length)
      expect(hasZeroRun(reader, from, until, least - 1)).toBe(wanted.length > 0)
      expect(isZero(reader, from, to)).toBe(part.every((byte) => byte === 0))
      expect(isFiller(reader, from, to)).toBe(part.every((byte) => byte === 0 || byte === 255))
    }),
    { numRuns: 400 },
  )
})

it('rows of zeros go on over mebibytes, and a thousand are told', async () => {
  const bytes = bytesWith(2 * MIB + 9, 0, [5, 9], [MIB - 3, MIB + 4], [2 * MIB - 1, 2 * MIB + 9])
  const runs = await zeroRuns(readerOf(bytes), 6, bytes.length, 4, SILENT)
  expect(runs).toEqual([
    { offset: MIB - 3, length: 7 },
    { offset: 2 * MIB - 1, length: 10 },
  ])
  for (const looks of [isZero, isFiller])
    for (const at of [0, MIB - 1, MIB, 2 * MIB]) {
      const zeros = new Uint8Array(2 * MIB + 1)
      expect(looks(readerOf(zeros), 0, zeros.length)).toBe(true)
      zeros[at] = 7
      expect(looks(readerOf(zeros), 0, zeros.length)).toBe(false)
    }
  const many = Uint8Array.from({ length: 5000 }, (_, at) => (at % 4) & 1)
  expect(await zeroRuns(readerOf(many), 0, many.length, 1, SILENT)).toHaveLength(1000)
})

it('how much of a long stretch is filled is seen from one place in sixteen', () => {
  const step = 64 * 1024
  const bytes = bytesWith(20 * step + 100, 0, [step, 2 * step], [20 * step, 20 * step + 100])
  expect(filledBytes(readerOf(bytes), 0, bytes.length)).toBe(19 * step)
  // a byte that is looked at, and its neighbours that are not
  const look = (step - 4096) / 2
  for (const [at, filled] of [
    [look - 1, 0],
    [look, step],
    [look + 4095, step],
    [look + 4096, 0],
  ]) {
    const zeros = new Uint8Array(16 * step)
    zeros[at] = 1
    expect(filledBytes(readerOf(zeros), 0, zeros.length)).toBe(filled)
  }
})

it('how much of a short stretch is filled is seen everywhere', () => {
  const bytes = bytesWith(50_000, 0, [0, 20_000])
  expect(filledBytes(readerOf(bytes), 0, bytes.length)).toBe(50_000 - 78 * 256)
  expect(filledBytes(readerOf(bytes), 0, 20_000)).toBe(0)
})

it('a part of a source, and a source moved, hold what they should at every place', () => {
  const bytes = noise(30, 2)
  const number = fc.integer({ min: -40, max: 40 })
  fc.assert(
    fc.property(number, fc.nat(50), fc.nat(40), fc.nat(20), (start, length, offset, count) => {
      const from = Math.min(30, Math.max(0, start))
      const read = (source: WindowSource | ShiftedSource): number[] => {
        const target = new Uint8Array(count).fill(9)
        return [...target.subarray(0, source.read(offset, target))]
      }
      const window = [...bytes.subarray(from, from + length)]
      const part = new WindowSource(new MemorySource(bytes), start, length)
      expect([part.size, ...read(part)]).toEqual([window.length, ...window.slice(offset, offset + count)])
      const shifted = start < 0 ? [...bytes.subarray(-start)] : [...Array(start).fill(0), ...bytes]
      const moved = new ShiftedSource(new MemorySource(bytes), start)
      expect([moved.size, ...read(moved)]).toEqual([shifted.length, ...shifted.slice(offset, offset + count)])
    }),
    { numRuns: 400 },
  )
})

it('a checksum of bytes of any length, taken at once or bit by bit, is that of zlib', () => {
  const bytes = noise(600_000, 4)
  for (let length = 0; length < 40; length++) {
    const part = bytes.subarray(length, 2 * length)
    expect(crc32(part)).toBe(crcOf(part))
    expect(crc32(part.subarray(length >> 1), crc32(part.subarray(0, length >> 1)))).toBe(crcOf(part))
  }
  for (const [from, end] of [
    [0, 600_000],
    [262_143, 262_145],
    [77, 524_289],
  ])
    expect(crc32Of(readerOf(bytes), from, end)).toBe(crcOf(bytes.subarray(from, end)))
  expect(crc32Of(readerOf(bytes), 599_990, 700_000)).toBe(crcOf(bytes.subarray(599_990)))
})

it('a checksum of a long stretch is worked out by a source that can, and that of a short one out of bytes at hand', () => {
  const source = Object.assign(new MemorySource(noise(200_000, 4)), {
    crc32: (from: number, end: number) => end - from,
  })
  expect(crc32Of(new ByteReader(source), 10, 100_010)).toBe(100_000)
  const bytes = new Uint8Array(1000)
  source.read(10, bytes)
  expect(crc32Of(new ByteReader(source), 10, 1010)).toBe(crcOf(bytes))
})

it('bits and codes are read as they were written', () => {
  const entry = fc.oneof(
    fc.record({ bits: fc.integer({ min: 0, max: 2 ** 32 - 1 }), count: fc.integer({ min: 0, max: 32 }) }),
    fc.record({ ue: fc.oneof(fc.nat(40), fc.nat(2 ** 31)) }),
    fc.record({ se: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer()) }),
    fc.record({ copy: fc.uint8Array({ minLength: 3, maxLength: 5 }), from: fc.nat(9) }),
  )
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
      const writer = new BitWriter()
      for (const each of entries)
        if ('bits' in each) writer.bits(each.bits % 2 ** each.count, each.count)
        else if ('ue' in each) writer.ue(each.ue)
        else if ('se' in each) writer.se(each.se)
        else writer.copy(each.copy, each.from, 20)
      const { length } = writer
      const bytes = writer.trailing()
      expect(bytes.length).toBe(Math.floor(length / 8) + 1)
      const reader = new BitReader(bytes)
      for (const each of entries)
        if ('bits' in each) expect(reader.bits(each.count)).toBe(each.bits % 2 ** each.count)
        else if ('ue' in each) expect(reader.ue()).toBe(each.ue)
        else if ('se' in each) expect(reader.se() + 0).toBe(each.se)
        else
          expect(reader.bits(20 - each.from)).toBe(new BitReader(each.copy, each.from).bits(20 - each.from))
      expect(reader.position).toBe(length)
      expect(reader.bits(reader.left)).toBe(2 ** (bytes.length * 8 - length - 1))
    }),
  )
})

it('whether bytes are zero or filler takes no more of the file than the first of them that are not', () => {
  for (const looks of [isZero, isFiller]) {
    const source = new MemorySource(bytesWith(4 * MIB, 0, [0, 1000]))
    let read = 0
    const counting = {
      size: source.size,
      read: (offset: number, target: Uint8Array) => {
        read += target.length
        return source.read(offset, target)
      },
    }
    expect(looks(new ByteReader(counting), 0, 4 * MIB)).toBe(false)
    expect(read).toBeLessThan(MIB)
  }
})
