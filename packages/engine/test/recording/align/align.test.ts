import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { align } from '../../../src/recording/align/align.ts'
import { ROW_FITS } from '../../../src/recording/align/row-state.ts'
import { type SampleChecker, sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

it.each([
  ['large', 20_000],
  ['small', 2000],
])('a few %s frames of one size tell by how many bytes an index is off', async (_, size) => {
  const fixture = streamFixture('mjpeg')
  const frame = new Uint8Array(size).fill(0xff)
  frame.set(fixture.bytes.subarray(0, fixture.packets[0].size))
  const frames = concat(Array.from({ length: 8 }, () => frame))
  const inserted = Uint8Array.from(noise(777))
  const at = 3 * size + 1700
  const reader = readerOf(concat([frames.subarray(0, at), inserted, frames.subarray(at)]))
  const table = new SampleTable()
  for (let row = 0; row < 8; row++) table.push(row * size, size, 1, 1, row, 0)
  const checker = sampleChecker(reader, trackOf(fixture, 'raw'), table, [777])
  const { tracks } = await align({
    reader,
    tables: [table],
    checkers: [checker],
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [777],
    monitor: SILENT,
    stage: 'diagnose',
  })
  expect([...tracks[0].shift.subarray(4)]).toEqual([777, 777, 777, 777])
  expect([...tracks[0].state.subarray(4)]).toEqual([ROW_FITS, ROW_FITS, ROW_FITS, ROW_FITS])
})

it('small frames of one size that fit at a multiple of it as well stay where the index has them', async () => {
  const size = 2000
  const fixture = streamFixture('mjpeg')
  const frame = new Uint8Array(size).fill(0xff)
  frame.set(fixture.bytes.subarray(0, fixture.packets[0].size))
  const frames = concat(Array.from({ length: 10 }, () => frame))
  frames.set(Uint8Array.from(noise(2 * size)), 3 * size)
  const reader = readerOf(frames)
  const table = new SampleTable()
  for (let row = 0; row < 8; row++) table.push(row * size, size, 1, 1, row, 0)
  const { tracks } = await align({
    reader,
    tables: [table],
    checkers: [sampleChecker(reader, trackOf(fixture, 'raw'), table, [2 * size])],
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [2 * size],
    monitor: SILENT,
    stage: 'diagnose',
  })
  expect([...tracks[0].shift]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
})

it('damaged frames of a constant rate are not taken for those that lie where the index has others', async () => {
  const fixture = streamFixture('mjpeg')
  const packet = (nth: number): Uint8Array => {
    const { offset, size } = fixture.packets[nth]
    return fixture.bytes.slice(offset, offset + size)
  }
  const frames = Array.from({ length: 16 }, (_, row) => packet(row % 12 === 0 ? 0 : 1))
  const table = new SampleTable()
  let at = 0
  for (const [row, { length }] of frames.entries()) {
    table.push(at, length, 1, 1, row, 0)
    at += length
  }
  for (const row of [2, 3, 4, 5, 6]) frames[row].set(noise(1000))
  const reader = readerOf(concat(frames))
  const { tracks, pieces } = await align({
    reader,
    tables: [table],
    checkers: [sampleChecker(reader, trackOf(fixture, 'raw'), table, [])],
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [],
    monitor: SILENT,
    stage: 'diagnose',
  })
  expect(pieces).toEqual([])
  expect(tracks[0].outside).toBe(0)
  expect(tracks[0].fits).toBe(11)
})

it('a sample that nothing can be checked of, in front of bytes that are gone, stays where it is', async () => {
  const fixture = streamFixture('mjpeg')
  const description = trackOf(fixture, 'raw')
  const code = Uint8Array.of(0, 0, 4, 210)
  const frames = Array.from({ length: 3 }, () => fixture.packets)
    .flat()
    .map(({ offset, size }) => fixture.bytes.subarray(offset, offset + size))
  const table = new SampleTable()
  let at = code.length
  for (const [row, frame] of frames.entries()) {
    table.push(at, frame.length, 1, 1, row, 0)
    at += frame.length
  }
  const codes = new SampleTable()
  codes.push(0, code.length, 1, 1, 0, 0)
  // most of the recording lies behind what is gone
  const gone = table.offset[2] + 300
  const whole = concat([code, ...frames])
  const reader = readerOf(concat([whole.subarray(0, gone), whole.subarray(gone + 200)]))
  const plain = { ...description, id: 2, kind: 'data' as const, codec: 'tmcd' }
  const { tracks } = await align({
    reader,
    tables: [table, codes],
    checkers: [
      sampleChecker(reader, description, table, [-200]),
      sampleChecker(reader, plain, codes, [-200]),
    ],
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [-200],
    monitor: SILENT,
    stage: 'diagnose',
  })
  expect(tracks[0].shift.at(-1)).toBe(-200)
  expect(tracks[0].shift[0]).toBe(0)
  expect(tracks[1].shift[0]).toBe(0)
  expect(tracks[1].outside).toBe(0)
})

it('frames of one size in chunks lie where those at the ends of chunks do as well', async () => {
  const fixture = streamFixture('mjpeg')
  const size = 20_000
  // of a codec that nothing is known of but that all frames begin alike
  const description = { ...trackOf(fixture, 'raw'), codec: 'unknown' }
  const frame = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...noise(size - 12)])
  const between = Uint8Array.from(noise(3000))
  const chunk = [...Array.from({ length: 8 }, () => frame), between]
  const table = new SampleTable()
  for (let row = 0; row < 64; row++)
    table.push(row * size + Math.floor(row / 8) * between.length, size, 1, 1, row, 0)
  const whole = concat(Array.from({ length: 8 }, () => chunk).flat())
  // bytes of the third frame are gone
  const at = 2 * size + 5000
  const reader = readerOf(concat([whole.subarray(0, at), whole.subarray(at + 106)]))
  const { tracks } = await align({
    reader,
    tables: [table],
    checkers: [sampleChecker(reader, description, table, [-106])],
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [],
    monitor: SILENT,
    stage: 'diagnose',
  })
  expect([...tracks[0].shift].slice(0, 8)).toEqual([0, 0, 0, -106, -106, -106, -106, -106])
  expect(new Set(tracks[0].shift.subarray(8))).toEqual(new Set([-106]))
})

it('holds a row against no place twice in bytes that are hit all over', async () => {
  const reader = readerOf(noise(400_000))
  const table = new SampleTable()
  const sizes = noise(1000)
  for (let row = 0, at = 0; row < 1000; at += 200 + sizes[row], row++)
    table.push(at, 200 + sizes[row], 1, 1, row, 0)
  const asked = new Map<number, number>()
  const fits = (offset: number): boolean => {
    asked.set(offset, (asked.get(offset) ?? 0) + 1)
    return offset % 3 === 0
  }
  const checker: SampleChecker = {
    ...{ bits: 20, weight: 20, certain: true, exact: true, leads: true, fits, search: (_, end) => end },
    ...{ intact: () => true, measure: () => 0, usable: () => 0 },
  }
  await align({
    reader,
    tables: [table],
    checkers: [checker],
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [],
    monitor: SILENT,
    stage: 'diagnose',
  })
  const asks = [...asked.values()].reduce((sum, times) => sum + times, 0)
  expect(asks).toBeLessThan(asked.size * 1.5)
})
