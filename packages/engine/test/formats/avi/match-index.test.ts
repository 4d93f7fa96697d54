import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { matchIndex } from '../../../src/formats/avi/mend/match-index.ts'
import { idOf } from '../../../src/formats/avi/read/chunk-id.ts'
import {
  AFTER_HOLE,
  ChunkTable,
  DAMAGED,
  LOST,
  REWRITTEN,
} from '../../../src/formats/avi/read/chunk-table.ts'
import { SILENT } from '../../../src/model/monitor.ts'

const PICTURE = idOf('00dc')
const SOUND = idOf('01wb')

it('chunks that an index names where another one was thought to reach are lost there', async () => {
  const found = new ChunkTable(10)
  found.push(8, 100, PICTURE, 0, 0)
  found.push(116, 392, PICTURE, 0, REWRITTEN)
  found.push(516, 100, PICTURE, 0, 0)
  const index = new ChunkTable(10)
  index.push(8, 100, PICTURE, 0, 0)
  index.push(116, 136, PICTURE, 0, 0)
  index.push(260, 48, SOUND, 1, 0)
  index.push(316, 192, PICTURE, 0, 0)
  index.push(516, 100, PICTURE, 0, 0)
  const { chunks, agreed } = await matchIndex(found, index, DEFAULT_LIMITS.samplesPerTrack, SILENT)
  expect(agreed).toBe(3)
  expect([...chunks.size.subarray(0, chunks.length)]).toEqual([100, 136, 48, 192, 100])
  expect([...chunks.flags.subarray(0, chunks.length)].map((flags) => (flags & LOST) > 0)).toEqual([
    ...[false, false, true, true, false],
  ])
})

it('a chunk between two that lack bytes is the one that the index names', async () => {
  const found = new ChunkTable(10)
  found.push(8, 100, PICTURE, 0, 0)
  found.push(116, 90, PICTURE, 0, DAMAGED | REWRITTEN)
  found.push(214, 100, PICTURE, 0, AFTER_HOLE)
  found.push(322, 80, PICTURE, 0, DAMAGED | REWRITTEN)
  for (let row = 0; row < 4; row++) found.push(410 + row * 108, 100, PICTURE, 0, row === 0 ? AFTER_HOLE : 0)
  const index = new ChunkTable(10)
  for (let row = 0; row < 8; row++) index.push(8 + row * 108, 100, PICTURE, 0, 0)
  const { chunks, agreed, missing } = await matchIndex(found, index, DEFAULT_LIMITS.samplesPerTrack, SILENT)
  expect({ agreed, missing, chunks: chunks.length }).toEqual({ agreed: 8, missing: 0, chunks: 8 })
})

it('what was taken for a chunk in a hole is none where the index names a larger one there', async () => {
  const found = new ChunkTable(10)
  found.push(8, 100, PICTURE, 0, 0)
  found.push(300, 16, PICTURE, 0, REWRITTEN | AFTER_HOLE)
  for (let row = 3; row < 7; row++) found.push(8 + row * 108, 100, PICTURE, 0, 0)
  const index = new ChunkTable(10)
  for (let row = 0; row < 7; row++) index.push(8 + row * 108, 100, PICTURE, 0, 0)
  const { chunks, unnamed, missing } = await matchIndex(found, index, DEFAULT_LIMITS.samplesPerTrack, SILENT)
  expect({ unnamed, missing, chunks: chunks.length }).toEqual({ unnamed: 0, missing: 2, chunks: 7 })
  expect([...chunks.flags.subarray(0, 7)].map((flags) => (flags & LOST) > 0)).toEqual([
    ...[false, true, true, false, false, false, false],
  ])
})

it('behind a torn chunk at whose end the next one stands all that follow are nearer', async () => {
  const found = new ChunkTable(20)
  found.push(8, 100, PICTURE, 0, 0)
  found.push(116, 76, PICTURE, 0, REWRITTEN)
  for (let row = 0; row < 3; row++) found.push(200 + row * 108, 100, PICTURE, 0, 0)
  found.push(524, 90, PICTURE, 0, DAMAGED | REWRITTEN)
  for (let row = 0; row < 4; row++) found.push(622 + row * 108, 100, PICTURE, 0, row === 0 ? AFTER_HOLE : 0)
  const index = new ChunkTable(20)
  for (let row = 0; row < 10; row++) index.push(8 + row * 108, 100, PICTURE, 0, 0)
  const { chunks, agreed, missing } = await matchIndex(found, index, DEFAULT_LIMITS.samplesPerTrack, SILENT)
  expect({ agreed, missing, chunks: chunks.length }).toEqual({ agreed: 10, missing: 0, chunks: 10 })
})
