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

/** An index of pictures of given sizes one behind the other, each with sound of 100 bytes behind it. */
function indexOf(sizes: readonly number[]): ChunkTable {
  const index = new ChunkTable(1000)
  let at = 8
  for (const size of sizes) {
    index.push(at, size, PICTURE, 0, 0)
    index.push(at + size + 8, 100, SOUND, 1, 0)
    at += size + 116
  }
  return index
}

/** What is found where the rows [from, until) of `index` were taken out, but for the last `left` bytes. */
function foundWithout(index: ChunkTable, from: number, until: number, left = 0): ChunkTable {
  const found = new ChunkTable(1000)
  const taken = index.offset[until] - index.offset[from] - left
  for (let row = 0; row < index.length; row++) {
    if (row >= from && row < until) continue
    const shift = row < until ? 0 : taken
    found.push(
      index.offset[row] - shift,
      index.size[row],
      index.id[row],
      index.stream[row],
      row === until ? AFTER_HOLE : 0,
    )
  }
  return found
}

/** The rows of `index` that the matched chunks have no bytes of. */
async function lostOf(found: ChunkTable, index: ChunkTable): Promise<{ lost: number[]; isOpen: boolean }> {
  const { chunks, isOpen } = await matchIndex(found, index, DEFAULT_LIMITS.samplesPerTrack, SILENT)
  const rows = [...chunks.flags.subarray(0, chunks.length).keys()]
  return { lost: rows.filter((row) => chunks.flags[row] & LOST), isOpen }
}

it('of entries with which chunks behind a hole agree those are meant with which most do', async () => {
  const sizes = [700, 8, 900, 8, 500, 8, 800, 8, 600, 300]
  const index = indexOf(sizes)
  expect(await lostOf(foundWithout(index, 1, 5, 12), index)).toEqual({ lost: [1, 2, 3, 4], isOpen: false })
})

it('chunks right behind whole ones that were taken out are not those that stood at their place', async () => {
  const index = indexOf([700, 900, 500, 800, 600, 300])
  expect(await lostOf(foundWithout(index, 2, 6), index)).toEqual({ lost: [2, 3, 4, 5], isOpen: false })
})

it('a chunk that lacks bytes tells nothing against the entries that those behind it agree with', async () => {
  const index = indexOf([700, 700, 700, 700, 200, 300, 400])
  const found = foundWithout(index, 1, 4, 12)
  // the sound behind the hole lacks bytes as well
  for (let row = 3; row < found.length; row++) found.offset[row] -= 6
  found.size[2] -= 6
  found.flags[2] |= DAMAGED | REWRITTEN
  found.flags[3] |= AFTER_HOLE
  expect(await lostOf(found, index)).toEqual({ lost: [1, 2, 3], isOpen: false })
})

it('which of chunks that are all alike were taken out is told by where the index ends', async () => {
  const index = indexOf(Array(30).fill(700))
  expect(await lostOf(foundWithout(index, 5, 9, 12), index)).toEqual({ lost: [5, 6, 7, 8], isOpen: false })
})

it('which of chunks that are all alike were taken out is open in front of another hole', async () => {
  const index = indexOf([...Array(30).fill(700), 300, 400, 500, 600])
  const found = foundWithout(index, 5, 9, 12)
  for (let row = 30; row < found.length; row++) found.offset[row] -= 20
  found.size[29] -= 20
  found.flags[29] |= DAMAGED | REWRITTEN
  found.flags[30] |= AFTER_HOLE
  found.length = 30
  expect((await lostOf(found, index)).isOpen).toBe(true)
})

it('chunks that a size led over where bytes were taken out are named by the index, though no hole shows', async () => {
  const index = indexOf([700, 900, 500, 800, 600, 300])
  const found = foundWithout(index, 2, 6, 12)
  found.flags[2] = 0
  expect(await lostOf(found, index)).toEqual({ lost: [2, 3, 4, 5], isOpen: false })
})
