import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { align } from '../../../src/recording/align/align.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const PICTURES = 20

it('the index of a second recording is not held against the first where both begin with the same sample', async () => {
  const fixture = streamFixture('mjpeg')
  const [first] = fixture.packets
  const frame = fixture.bytes.subarray(first.offset, first.offset + first.size)
  // a comment makes each picture but the first of another size
  const picture = (comment: number): Uint8Array =>
    concat([
      frame.subarray(0, 2),
      Uint8Array.of(0xff, 0xfe, 0, 2 + comment),
      new Uint8Array(comment),
      frame.subarray(2),
    ])
  const recording = (more: number): Uint8Array[] =>
    Array.from({ length: PICTURES }, (_, row) => picture(row === 0 ? 0 : more + row))
  const before = concat(recording(PICTURES))
  const own = recording(0)
  const table = new SampleTable()
  let at = 0
  for (const [row, { length }] of own.entries()) {
    table.push(at, length, 1, 1, row, 0)
    at += length
  }
  const reader = readerOf(concat([before, ...own]))
  const suggestions = [before.length]
  const { tracks } = await align({
    reader,
    tables: [table],
    checkers: [sampleChecker(reader, trackOf(fixture, 'raw'), table, suggestions)],
    payload: [{ offset: 0, length: reader.size }],
    suggestions,
    monitor: SILENT,
    stage: 'diagnose',
  })
  expect(tracks[0].fits).toBe(PICTURES)
  expect(new Set(tracks[0].shift)).toEqual(new Set([before.length]))
})
