import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { align } from '../../../src/recording/align/align.ts'
import { ROW_DAMAGED, ROW_UNCHECKED } from '../../../src/recording/align/row-state.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('h264-baseline')
const pictures = trackOf(fixture, 'length')
const CHUNK = 8
const HELD = 2

/** Pictures, units of sound behind the third of them, the other pictures; and the table of each. */
function interleaved(units: readonly Uint8Array[]): { bytes: Uint8Array; tables: SampleTable[] } {
  const tables = [new SampleTable(), new SampleTable()]
  const parts: Uint8Array[] = []
  let at = 0
  const add = (table: SampleTable, unit: Uint8Array): void => {
    table.push(at, unit.length, 1, 1, 0, table.length === 0 ? 1 : 0)
    parts.push(unit)
    at += unit.length
  }
  for (const [row, { offset, size }] of fixture.packets.entries()) {
    add(tables[0], fixture.bytes.subarray(offset, offset + size))
    if (row === HELD) for (const unit of units) add(tables[1], unit)
  }
  return { bytes: concat(parts), tables }
}

/** Holds the index against the bytes without `missing` ones near the end of the picture in front of the sound. */
async function withoutBytes(sound: TrackDescription, units: readonly Uint8Array[], missing: number) {
  const { bytes, tables } = interleaved(units)
  const at = tables[1].offset[0] - missing - 4
  const reader = readerOf(concat([bytes.subarray(0, at), bytes.subarray(at + missing)]))
  const descriptions = [pictures, sound]
  return align({
    reader,
    tables,
    checkers: descriptions.map((track, i) => sampleChecker(reader, track, tables[i], [-missing])),
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [-missing],
    monitor: SILENT,
    stage: 'diagnose',
  })
}

const speech: TrackDescription = {
  id: 2,
  kind: 'audio',
  codec: 'amr',
  timescale: 8000,
  config: new Uint8Array(0),
  framing: 'raw',
  facts: { format: 'samr' },
}
const frames = Array.from({ length: CHUNK }, (_, i) => Uint8Array.from([0x3c, ...noise(31, i + 1)]))

it('frames of one size behind a picture that lost bytes are read where they lie, not a few frames further on', async () => {
  const { tracks } = await withoutBytes(speech, frames, 64)
  expect([...tracks[1].shift]).toEqual(frames.map(() => -64))
  expect(tracks[0].state[HELD]).toBe(ROW_DAMAGED)
})

it('frames of one size of which some are gone may be those before or those behind', async () => {
  expect((await withoutBytes(speech, frames, 64)).loose).toEqual([0, CHUNK - 2])
  // no whole number of them is
  expect((await withoutBytes(speech, frames, 60)).loose).toEqual([0, 0])
})

it('sound that nothing can be checked of lies behind a picture that lost bytes', async () => {
  const sound: TrackDescription = {
    id: 2,
    kind: 'audio',
    codec: 'pcm',
    timescale: 8000,
    config: new Uint8Array(0),
    framing: 'raw',
    blockAlign: 2,
  }
  const units = Array.from({ length: CHUNK }, (_, i) => noise(50, i + 1))
  const { tracks } = await withoutBytes(sound, units, 60)
  expect([...tracks[1].shift]).toEqual(units.map(() => -60))
})

it('sound lies where it sounds like some: whole behind a picture in which its length alone does not tell the break', async () => {
  const sound: TrackDescription = {
    ...{ id: 2, kind: 'audio', codec: 'pcm', timescale: 8000, framing: 'raw', blockAlign: 1, channels: 1 },
    config: new Uint8Array(0),
    facts: { law: 'ulaw' },
  }
  const wave = Uint8Array.from({ length: 2000 }, (_, i) => 180 + Math.round(40 * Math.sin(i / 9)))
  const { tracks } = await withoutBytes(sound, [wave], 60)
  expect([...tracks[1].shift]).toEqual([-60])
  expect([...tracks[1].state]).toEqual([ROW_UNCHECKED])
  expect(tracks[0].state[HELD]).toBe(ROW_DAMAGED)
})
