import { expect, it } from 'vitest'
import { avi } from '../../../src/formats/avi/index.ts'
import { CHUNK_HEADER } from '../../../src/syntax/riff/chunk.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { read, repaired } from './support/repaired.ts'

it('a hole behind the first picture of MPEG-4 may have taken the empty chunk there', async () => {
  const film = fixtureOf(avi, 'avi-mpeg4-low-mp3')
  const { chunks } = (await read(film)).walk
  const cut = chunks.offset[chunks.length - 10] + 12
  const rows = Array.from({ length: chunks.length }, (_, row) => row).filter(
    (row) => chunks.stream[row] === 0,
  )
  const start = (row: number): number => chunks.offset[row] - CHUNK_HEADER
  expect(chunks.size[rows[1]]).toBe(0)
  const without = (from: number, to: number, end: number): Uint8Array =>
    Uint8Array.from([...film.subarray(0, from), ...film.subarray(to, end)])
  const codes = async (damaged: Uint8Array) =>
    (await repaired(damaged)).report.doubts?.map(({ code }) => code) ?? []
  // without what counts all pictures
  for (const to of [start(rows[2]), start(rows[2]) + 100, start(rows[3]) + 10])
    expect(await codes(without(start(rows[0] + 1) + 20, to, cut))).toContain('times')
  // pictures farther on have no such chunk behind them
  expect(await codes(without(start(rows[4] + 1) + 20, start(rows[6]) + 10, cut))).not.toContain('times')
})
