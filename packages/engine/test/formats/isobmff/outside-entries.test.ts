import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { BreakPlaces } from '../../../src/recording/align/break-places.ts'
import { fileOrder } from '../../../src/recording/align/file-order.ts'
import { ROW_FITS, ROW_OUTSIDE } from '../../../src/recording/align/row-state.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

it('an entry that reaches beyond the file holds no break', async () => {
  const fixture = streamFixture('mjpeg')
  const reader = readerOf(fixture.bytes)
  const [, picture] = fixture.packets
  const removed = 50
  const table = new SampleTable()
  table.push(0, reader.size * 100, 1, 1, 0, 0)
  table.push(picture.offset + removed, picture.size, 1, 1, 1, 0)
  const track = {
    ...{ state: Uint8Array.of(ROW_OUTSIDE, ROW_FITS), shift: new Float64Array(2) },
    ...{ fits: 1, broken: 0, damaged: 0, outside: 1 },
  }
  const input = {
    ...{ reader, tables: [table], suggestions: [], monitor: SILENT, stage: 'diagnose' as const },
    checkers: [sampleChecker(reader, trackOf(fixture, 'raw'), table, [])],
    payload: [{ offset: 0, length: reader.size }],
  }
  const places = new BreakPlaces(input, await fileOrder([table], SILENT), [track])
  expect(places.settle(1, 0, -removed)).toBe(picture.offset)
  expect(track.state[0]).toBe(ROW_OUTSIDE)
  expect({ damaged: track.damaged, outside: track.outside }).toEqual({ damaged: 0, outside: 1 })
})
