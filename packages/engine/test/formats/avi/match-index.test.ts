import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { matchIndex } from '../../../src/formats/avi/mend/match-index.ts'
import { idOf } from '../../../src/formats/avi/read/chunk-id.ts'
import { ChunkTable, LOST, REWRITTEN } from '../../../src/formats/avi/read/chunk-table.ts'
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
