import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { SAMPLE_DAMAGED } from '../../../src/model/sample-table.ts'
import { UnitHabits } from '../../../src/recovery/unframed/habits.ts'
import { UnitWriter } from '../../../src/recovery/unframed/writer.ts'
import { noise } from '../../../testing/video/replay.ts'
import { interleave, lane, prior } from '../lanes.ts'

/** Whether a unit of 4000 bytes counts as damaged that holds zeros in [from, until). */
function isDamaged(from: number, until: number): boolean {
  const bytes = noise(4000, 5)
  bytes.fill(0, from, until)
  const video = lane(0, 'video', 25)
  const recogniser = { ...video.recogniser, recognise: () => true } as NonNullable<typeof video.recogniser>
  const track = {
    lane: video,
    recogniser,
    recoveryIsKey: false,
    habits: new UnitHabits(true),
    unit: new Unit(),
  }
  const reader = new ByteReader(new MemorySource(bytes))
  const writer = new UnitWriter(reader, [video], [track], interleave([prior(1, 25_000)]))
  writer.write({ lane: 0, start: 0, end: bytes.length } as never)
  return (video.table.flags[0] & SAMPLE_DAMAGED) !== 0
}

it('a unit that reaches over zeros to the next one is damaged, one that ends with them is not', () => {
  expect(isDamaged(1000, 3000)).toBe(true)
  expect(isDamaged(1000, 1500)).toBe(false)
  expect(isDamaged(3000, 4000)).toBe(false)
})
