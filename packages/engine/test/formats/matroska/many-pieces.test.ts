import { expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { pacesOf } from '../../../src/formats/matroska/mend/pace.ts'
import { readLace } from '../../../src/formats/matroska/read/block.ts'
import { BlockTable } from '../../../src/formats/matroska/read/block-table.ts'
import type { Run, Survey } from '../../../src/formats/matroska/read/survey.ts'
import { walk } from '../../../src/formats/matroska/read/walk.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { repeated } from '../../../testing/adversaries/bytes.ts'

it('lists of tracks without number are read a bounded number of times', async () => {
  const bytes = repeated(Uint8Array.of(0x16, 0x54, 0xae, 0x6b, 0x80), 50_000)
  const filters = vi.spyOn(Array.prototype, 'filter')
  await walk(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT, [])
  const calls = filters.mock.calls.length
  filters.mockRestore()
  expect(calls).toBeLessThan(6_000)
})

it('a lace of more sizes than the block has bytes is refused before they are read', () => {
  const reader = new ByteReader(new MemorySource(Uint8Array.of(0xff, ...new Uint8Array(200).fill(0x80))))
  const bytes = vi.spyOn(reader, 'u8')
  expect(readLace(reader, 0x06, 0, 201, 201)).toBeUndefined()
  expect(bytes.mock.calls.length).toBeLessThan(5)
})

it('the pace of a track is told by the first blocks of a run, however many it has', () => {
  const blocks = new BlockTable(400_000)
  for (let i = 0; i < 300_000; i++) {
    const row = blocks.push()
    blocks.track[row] = 1
    blocks.relative[row] = i < 1 << 16 ? (i % 900) * 33 : i % 0x7fff
  }
  const size = 1e6
  const run: Run = {
    ...{ offset: 0, end: size, body: 0, size, headed: true, time: 0, sum: -1, sumFrom: -1, firstRow: 0 },
    ...{ endRow: blocks.length, gap: -1, altered: false },
  }
  const survey: Survey = {
    ...{ size, docType: undefined, segment: undefined, elements: [], info: undefined, tracks: [] },
    ...{ tracksWhole: true, runs: [run], blocks, gaps: [], cutAt: undefined, further: undefined },
  }
  expect(pacesOf(survey, [], 1e6).get(1)).toBe(33)
})
