import { expect, it } from 'vitest'
import { UnitHabits } from '../../../src/recovery/unframed/habits.ts'
import { SplitDoubt } from '../../../src/recovery/unframed/split-doubt.ts'
import { readerOf } from '../../../testing/video/replay.ts'

/** First byte of every unit, and of nothing else but where a test says so. */
const FIRST = 0xfc
const SIZE = 100

/** So many units of one length in a row, `lures` times with what another may begin with behind a beginning. */
function units(count: number, lures = 0) {
  const bytes = new Uint8Array(count * SIZE).map((_, i) => (i % SIZE === 0 ? FIRST : (i * 37) % 200))
  for (let lure = 0; lure < lures; lure++) {
    const start = (lure * 2 + 1) * SIZE
    bytes.copyWithin(start + 1, start, start + 3)
  }
  const habits = new UnitHabits()
  const reader = readerOf(bytes)
  for (let unit = 0; unit < count; unit++)
    if (unit >= lures * 2) habits.learn(reader, unit * SIZE, SIZE - (unit % 3))
  return new SplitDoubt(reader, () => habits)
}

function add(doubt: SplitDoubt, from: number, until: number): void {
  for (let unit = from; unit < until; unit++) doubt.add(unit * SIZE, (unit + 1) * SIZE)
}

it('nothing is open of units that lie alone between others whose ends are known', () => {
  const doubt = units(40, 20)
  for (let unit = 0; unit < 40; unit++) {
    add(doubt, unit, unit + 1)
    doubt.close(true)
  }
  expect(doubt.isOfNote).toBe(false)
})

it('units in a row end where the only first byte is, and elsewhere where another is as likely', () => {
  const sure = units(200)
  add(sure, 0, 200)
  sure.close(true)
  expect(sure.isOfNote).toBe(false)
  const open = units(200, 20)
  add(open, 0, 200)
  open.close(true)
  expect(open.isOfNote).toBe(true)
})

it('a neighbour whose own end is not known leaves an end open', () => {
  for (const [count, isOfNote] of [
    [99, true],
    [100, false],
  ] as const) {
    const doubt = units(count)
    for (let unit = 0; unit < count; unit++) {
      add(doubt, unit, unit + 1)
      doubt.close(unit !== count - 1)
    }
    expect(doubt.isOfNote).toBe(isOfNote)
  }
  const parted = units(10)
  add(parted, 0, 4)
  add(parted, 5, 10)
  parted.close(true)
  expect(parted.isOfNote).toBe(true)
})

it('two units of kilobytes may part anywhere', () => {
  const doubt = units(100)
  doubt.add(0, 5000)
  doubt.add(5000, 9000)
  doubt.close(true)
  expect(doubt.isOfNote).toBe(true)
})
