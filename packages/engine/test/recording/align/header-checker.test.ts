import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { align } from '../../../src/recording/align/align.ts'
import { ROW_FITS } from '../../../src/recording/align/row-state.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('vp9')
const description = trackOf(fixture, 'raw')
/** The fixture's pictures three times, so that key pictures come again. */
const pictures = [0, 1, 2].flatMap(() =>
  fixture.packets.map(({ offset, size, key }) => ({
    bytes: fixture.bytes.subarray(offset, offset + size),
    key,
  })),
)

/** All pictures behind bytes that are none, and an index that has them. */
function recorded() {
  const table = new SampleTable()
  let at = 500
  for (const [row, { bytes, key }] of pictures.entries()) {
    table.push(at, bytes.length, 1, 1, row, key ? SAMPLE_KEY : 0)
    at += bytes.length
  }
  const file = concat([Uint8Array.from(noise(500)), ...pictures.map(({ bytes }) => bytes)])
  return { file, table }
}

async function aligned(file: Uint8Array, table: SampleTable) {
  const reader = readerOf(file)
  const { tracks } = await align({
    reader,
    tables: [table],
    checkers: [sampleChecker(reader, description, table, [])],
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [],
    monitor: SILENT,
    stage: 'diagnose',
  })
  return tracks[0]
}

describe('pictures that do not tell their length', () => {
  it('tell by their headers that the whole index is off', async () => {
    const { file, table } = recorded()
    const { shift, fits } = await aligned(file.subarray(45), table)
    expect(new Set(shift)).toEqual(new Set([-45]))
    expect(fits).toBe(pictures.length)
  })

  it('tell where bytes are missing in the middle, from the next key picture on', async () => {
    const { file, table } = recorded()
    const hit = fixture.packets.length - 2
    const from = table.offset[hit] + 10
    const { shift, state } = await aligned(concat([file.subarray(0, from), file.subarray(from + 31)]), table)
    expect(new Set(shift.subarray(0, hit))).toEqual(new Set([0]))
    const behind = fixture.packets.length
    expect(new Set(shift.subarray(behind))).toEqual(new Set([-31]))
    expect(new Set(state.subarray(behind))).toEqual(new Set([ROW_FITS]))
  })

  it('are not held against headers where one of them has none that is known', () => {
    const { file, table } = recorded()
    const known = sampleChecker(readerOf(file), description, table, [])
    expect(known.fits(table.offset[1] + 1, table.size[1])).toBe(false)
    file.fill(0xff, table.offset[1], table.offset[1] + 4)
    expect(sampleChecker(readerOf(file), description, table, []).bits).toBe(0)
  })

  it('nor where headers say too little of what they are, as those of VP8', () => {
    const other = streamFixture('vp8')
    const table = new SampleTable()
    for (const [row, { offset, size, key }] of other.packets.entries())
      table.push(offset, size, 1, 1, row, key ? SAMPLE_KEY : 0)
    const checker = sampleChecker(readerOf(other.bytes), trackOf(other, 'raw'), table, [])
    expect(checker.findsKeys).toBeUndefined()
  })
})
