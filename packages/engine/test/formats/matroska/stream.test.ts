import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { streamsOf } from '../../../src/formats/matroska/deduce/stream.ts'
import { BlockTable } from '../../../src/formats/matroska/read/block-table.ts'
import type { Run, Survey } from '../../../src/formats/matroska/read/survey.ts'

const BYTES = 10

it.each([
  ['is a track in a Cluster that is whole', false, [1, 2]],
  ['is chance where bytes are altered', true, [1]],
])('a number that one block names %s', (_, altered, numbers) => {
  const blocks = new BlockTable(100)
  for (const [index, track] of [1, 1, 2, 1, 1].entries()) {
    const row = blocks.push()
    blocks.offset[row] = index * BYTES
    blocks.size[row] = BYTES
    blocks.payload[row] = index * BYTES + 4
    blocks.end[row] = (index + 1) * BYTES
    blocks.track[row] = track
    blocks.duration[row] = -1
  }
  const size = blocks.length * BYTES
  const run: Run = {
    ...{ offset: 0, end: size, body: 0, size, headed: true, time: 0, sum: -1, sumFrom: -1, firstRow: 0 },
    ...{ endRow: blocks.length, gap: -1, altered },
  }
  const survey: Survey = {
    ...{ size, docType: undefined, segment: undefined, elements: [], info: undefined, tracks: [] },
    ...{ tracksWhole: false, runs: [run], blocks, gaps: [], cutAt: undefined, further: undefined },
  }
  const reader = new ByteReader(new MemorySource(new Uint8Array(size)))
  expect(streamsOf(reader, survey, new Set(), new Map(), 1e6).map(({ number }) => number)).toEqual(numbers)
})
