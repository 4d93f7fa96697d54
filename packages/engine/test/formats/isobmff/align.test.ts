import { expect, it } from 'vitest'
import { align, ROW_FITS } from '../../../src/formats/isobmff/align.ts'
import { sampleChecker } from '../../../src/formats/isobmff/sample-checker.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

it('a few large frames of one size tell by how many bytes the index is off behind an insertion', async () => {
  const fixture = streamFixture('mjpeg')
  const size = 20_000
  const frame = new Uint8Array(size).fill(0xff)
  frame.set(fixture.bytes.subarray(0, fixture.packets[0].size))
  const frames = concat(Array.from({ length: 8 }, () => frame))
  const inserted = Uint8Array.from(noise(777))
  const at = 3 * size + 5000
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
