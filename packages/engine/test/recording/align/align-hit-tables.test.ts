import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { align } from '../../../src/recording/align/align.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { amrTrack, carryingHintTrack } from '../../../testing/recordings/tracks.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('mjpeg')
const film = trackOf(fixture, 'raw')
const pictures = fixture.packets.map(({ offset, size }) => fixture.bytes.subarray(offset, offset + size))

/** A table of units that lie one after another from `at` on. */
function tableOf(units: readonly Uint8Array[], at: number): SampleTable {
  const table = new SampleTable()
  for (const [row, { length }] of units.entries()) {
    table.push(at, length, 1, 1, row, 0)
    at += length
  }
  return table
}

async function aligned(
  bytes: Uint8Array,
  tables: readonly SampleTable[],
  descriptions: readonly TrackDescription[],
  suggestions: readonly number[] = [],
) {
  const reader = readerOf(bytes)
  return align({
    reader,
    tables,
    checkers: descriptions.map((track, i) => sampleChecker(reader, track, tables[i], suggestions)),
    payload: [{ offset: 0, length: reader.size }],
    suggestions,
    monitor: SILENT,
    stage: 'diagnose',
  })
}

it('pictures read to their ends stay where the index has them where another table is off by more than lies between', async () => {
  const hit = pictures.slice(0, 4)
  const right = pictures.slice(4)
  const [before, behind] = [concat(hit), concat(right)]
  const tables = [tableOf(right, before.length), tableOf(hit, behind.length)]
  const { tracks } = await aligned(concat([before, behind]), tables, [film, film], [-behind.length])
  expect([...tracks[1].shift]).toEqual(hit.map(() => -behind.length))
  expect([...tracks[0].shift]).toEqual(right.map(() => 0))
  expect(tracks[0].fits).toBe(right.length)
})

it('a hint track of a hit table does not tell that bytes are missing', async () => {
  const { units } = carryingHintTrack(amrTrack(40, 1), 97)
  const hints = units.map(({ bytes }) => bytes)
  const hint: TrackDescription = { ...film, id: 2, kind: 'data', codec: 'rtp', config: new Uint8Array(0) }
  const first = concat(pictures)
  const tables = [tableOf(pictures, 0), tableOf(hints, first.length + 96)]
  const { pieces } = await aligned(concat([first, ...hints, new Uint8Array(96)]), tables, [film, hint])
  expect(pieces).toEqual([])
})

it('a zeroed picture is not found in an earlier one whose place is a flipped bit away', async () => {
  const table = tableOf(pictures, 0)
  const far = 2 ** Math.ceil(Math.log2(concat(pictures).length))
  table.push(far, pictures[0].length, 1, 1, pictures.length, 0)
  const zeros = new Uint8Array(far + 2 * pictures[0].length - concat(pictures).length)
  const { tracks, flipped } = await aligned(concat([...pictures, zeros]), [table], [film])
  expect(tracks[0].fits).toBe(pictures.length)
  expect(flipped).toBe(0)
})
