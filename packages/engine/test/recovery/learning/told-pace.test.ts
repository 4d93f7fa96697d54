import { expect, it } from 'vitest'
import type { Unit } from '../../../src/codecs/recogniser.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { toldPace } from '../../../src/recovery/learning/told-pace.ts'
import { readerOf } from '../../../testing/video/replay.ts'
import { lane } from '../lanes.ts'

/** The pace of units of 10 bytes and `says` ticks of 48000 a second, that a recording has last so many of 1000 each. */
function pace(says: number, durations: readonly number[]): number {
  const { description, recogniser } = lane(0, 'audio', 1000)
  const table = new SampleTable()
  for (const [row, duration] of durations.entries()) table.push(row * 10, 10, 1, duration, row, 0)
  const reading = {
    ...(recogniser as NonNullable<typeof recogniser>),
    timescale: 48_000,
    recognise: (_reader: unknown, _offset: number, _end: number, unit: Unit): boolean => {
      Object.assign(unit, { duration: says, length: 10 })
      return true
    },
  }
  return toldPace(readerOf(new Uint8Array(durations.length * 10)), table, description, reading)
}

const of = (count: number, ...durations: number[]): number[] =>
  Array.from({ length: count }, () => durations).flat()

it('units last as long as a recording has them where it always contradicts what they say', () => {
  expect(pace(256, of(20, 32))).toBeCloseTo(6, 9)
  expect(pace(1024, of(20, 21, 22))).toBe(1)
  expect(pace(0, of(20, 32))).toBe(1)
})

it('few units or several paces are no rule', () => {
  expect(pace(256, of(5, 32))).toBe(1)
  expect(pace(256, of(20, 32, 5))).toBe(1)
})
