import { expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { UnitHabits } from '../../../src/recovery/unframed/habits.ts'
import { readerOf } from '../../../testing/video/replay.ts'

/** Habits of a recording that knows units of about 1000 bytes only. */
function habits(): UnitHabits {
  const known = new UnitHabits(true)
  const table = new SampleTable()
  for (let i = 0; i < 50; i++) table.push(0, 1000 + i, 1, 1, i, 0)
  known.read(readerOf(new Uint8Array(2000)), table)
  return known
}

it('what a unit has for certain is no doubt about its size', () => {
  const known = habits()
  const [proven, open] = [known.size(20_000, 0, 18_500), known.size(20_000, 0)]
  // not taken for one that swallowed others, but what is open beyond that is
  expect(proven).toBeGreaterThan(open + 24)
  expect(known.size(20_000, 0, 10_000)).toBeLessThan(proven - 20)
})

it('a least size below all others changes nothing', () => {
  const known = habits()
  for (const size of [900, 1000, 1040, 5000])
    expect(known.size(size, 0, 1)).toBeCloseTo(known.size(size, 0), 1)
})

it('what units to come teach counts whatever was asked before', () => {
  const unit = readerOf(Uint8Array.from([0x82, 1, 2, 3]))
  const other = readerOf(Uint8Array.from([0x86, 1, 2, 0x30]))
  const bits = (asks: boolean) => {
    const known = new UnitHabits()
    const ask = () => [known.opening(unit, 0), known.closing(3), known.opening(other, 0), known.closing(0x30)]
    known.learn(unit, 0, 4)
    if (asks) ask()
    known.learn(other, 0, 4)
    if (asks) ask()
    known.expect((first) => [first ^ 1])
    return ask()
  }
  expect(bits(true)).toEqual(bits(false))
})
