import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { learn } from '../../../src/recovery/learning/learn.ts'
import { lane } from '../lanes.ts'

/** What is learned of units, pictures unless told otherwise, that last that many ticks each. */
function learned(
  timescale: number,
  durations: readonly number[],
  kind: 'video' | 'data' = 'video',
  told?: true,
  late: (row: number) => number = () => 0,
) {
  const table = new SampleTable()
  let time = 0
  for (const [i, duration] of durations.entries()) {
    const row = table.push(i * 10, 10, 1, duration, i, 0)
    table.dts[row] = time
    table.cts[row] = late(row)
    time += duration
  }
  const { description } = lane(0, kind, timescale)
  const reader = new ByteReader(new MemorySource(new Uint8Array(durations.length * 10)))
  const [prior] = learn(reader, [{ description, table, ...(told ? { told } : {}) }], [true]).lanes
  return prior
}

const repeat = (count: number, ...durations: number[]) =>
  Array.from({ length: count }, () => durations).flat()

it('a rate that its timescale cannot hold is constant, and its mean', () => {
  const prior = learned(600, repeat(20, 20, 20, 21, 20, 20))
  expect(prior.constantRate).toBe(true)
  expect(prior.unitDuration).toBeCloseTo(20.2, 1)
})

it('a picture left out of a sample of few ticks a picture does not lengthen the others', () => {
  const prior = learned(25, [...repeat(10, 1), 2, ...repeat(9, 1)])
  expect(prior.unitDuration).toBe(1)
})

it('one picture that lasts longer than all others of a short sample makes no variable rate', () => {
  expect(learned(25, [...repeat(9, 1), 2, 1])).toMatchObject({ constantRate: true, unitDuration: 1 })
  expect(learned(25, [...repeat(9, 1), 2, 2, 1]).constantRate).toBe(false)
})

it('pictures of a sample so short that none has its neighbour are shown as long as they are decoded', () => {
  const table = new SampleTable()
  // The first two of a group of which those shown between were cut off.
  for (const [i, shown] of [0, 80].entries()) {
    const row = table.push(i * 10, 10, 1, 20, i, 0)
    table.dts[row] = i * 20
    table.cts[row] = shown - i * 20
  }
  const { description } = lane(0, 'video', 600)
  const reader = new ByteReader(new MemorySource(new Uint8Array(20)))
  const [prior] = learn(reader, [{ description, table }], [true]).lanes
  expect(prior.unitDuration).toBe(20)
})

it('pictures of many durations come as often as in the mean behind a first one that lasts until the camera is under way', () => {
  const prior = learned(600, [1198, ...repeat(6, 60, 64, 68, 72, 76)])
  expect(prior.constantRate).toBe(false)
  expect(prior.pace).toBeCloseTo(68, 0)
})

it('data that come in turn with nothing last their mean, without what is missing among them', () => {
  const prior = learned(8000, [...repeat(20, 1, 799), 40_000, ...repeat(20, 1, 799)], 'data')
  expect(Math.abs(prior.unitDuration - 400)).toBeLessThan(10)
})

it.each([
  ['its first, one and a half times as long', [30, ...repeat(40, 20)], true],
  ['one inside, two and a half times as long', [...repeat(20, 20), 50, ...repeat(20, 20)], true],
  ['one of two units, as lost pictures leave it', [...repeat(20, 20), 40, ...repeat(20, 20)], false],
  ['some by a tick, as rounding does', repeat(20, 20, 21), false],
  ['none', repeat(40, 20), false],
])(
  'a writer that holds pictures back from an even rate in a sample may do so elsewhere: %s',
  (_, durations, skips) => {
    expect(learned(600, durations)).toMatchObject({ constantRate: true, skips })
  },
)

it('a sample that broke off before pictures that come between its last ones is of the rate that it was decoded at', () => {
  const table = new SampleTable()
  // groups of four that are shown as the fourth, the second, the first and the third
  const shown = [4, 2, 1, 3]
  for (let i = 0; i < 42; i++) {
    const row = table.push(i * 10, 10, 1, 20, i, 0)
    table.dts[row] = i * 20
    table.cts[row] = ((i >> 2) * 4 + shown[i % 4] - i) * 20
  }
  const { description } = lane(0, 'video', 600)
  const reader = new ByteReader(new MemorySource(new Uint8Array(420)))
  const [prior] = learn(reader, [{ description, table }], [true]).lanes
  expect(prior).toMatchObject({ constantRate: true, steady: true, unitDuration: 20 })
})

/** Pictures shown at these ticks in groups of three decoded last one first, `ahead` places before they are shown. */
function reordered(shown: readonly number[], ahead: number): SampleTable {
  const table = new SampleTable()
  for (let i = 0; i < shown.length; i++) {
    const place = Math.min(shown.length - 1, Math.floor(i / 3) * 3 + [2, 0, 1][i % 3])
    const row = table.push(i * 10, 10, 1, 1, place, 0)
    table.dts[row] = i < ahead ? shown[0] - (shown[ahead] - shown[i]) : shown[i - ahead]
    table.cts[row] = shown[place] - table.dts[row]
  }
  for (let row = 0; row + 1 < table.length; row++) table.duration[row] = table.dts[row + 1] - table.dts[row]
  return table
}

it.each([2, 3])(
  'decoding runs %i places ahead of showing where the times of a variable rate say so',
  (ahead) => {
    const shown = Array.from(
      { length: 60 },
      (_, i) => i * 100 + Math.floor(i / 4) * 100 + Math.floor(i / 7) * 100,
    )
    const { description } = lane(0, 'video', 3000)
    const reader = new ByteReader(new MemorySource(new Uint8Array(600)))
    const [prior] = learn(reader, [{ description, table: reordered(shown, ahead) }], [true]).lanes
    expect(prior).toMatchObject({ constantRate: false, ahead })
  },
)

it('a recording that leaves out pictures of the sample’s constant rate is of variable rate on its grid', () => {
  const { description } = lane(0, 'video', 3000)
  const table = reordered(
    Array.from({ length: 30 }, (_, i) => i * 100),
    2,
  )
  const reader = new ByteReader(new MemorySource(new Uint8Array(300)))
  const [prior] = learn(reader, [{ description, table, leavesOut: true }], [true]).lanes
  expect(prior).toMatchObject({
    constantRate: false,
    steady: false,
    onGrid: true,
    unitDuration: 100,
    ahead: 2,
  })
})

it('how far sound is ahead of pictures shows by the times that the sample itself gives them', () => {
  const tables = [new SampleTable(), new SampleTable(), new SampleTable()]
  for (let i = 0; i < 40; i++) {
    for (const [which, unit] of [20, 10].entries()) {
      const pictures = tables[which === 0 ? 0 : 2]
      pictures.dts[pictures.push(i * 20, 10, 1, unit, i, 0)] = i * unit
    }
    tables[1].dts[tables[1].push(i * 20 + 10, 10, 1, 20, i, 0)] = i * 20
  }
  const [asRecorded, sound, table] = tables
  const pictures = lane(0, 'video', 1000).description
  const heard = lane(1, 'audio', 1000).description
  const reader = new ByteReader(new MemorySource(new Uint8Array(900)))
  const of = (track: { table: SampleTable; asRecorded?: SampleTable }) =>
    learn(
      reader,
      [
        { description: pictures, ...track },
        { description: heard, table: sound },
      ],
      [true, true],
    )
  expect(of({ table, asRecorded }).lead).toEqual(of({ table: asRecorded }).lead)
  expect(of({ table, asRecorded }).lanes[0].unitDuration).toBe(10)
})

it('a picture missing from an even rate is learned where the recording tells its times, but for its first, and for its last ones where they are decoded evenly', () => {
  const even = repeat(40, 1)
  const with2 = (at: number) => even.map((each, row) => (row === at ? 2 : each))
  expect(learned(25, with2(12), 'video', true).skips).toBe(true)
  expect(learned(25, with2(12)).skips).toBe(false)
  for (const durations of [even, with2(0)]) expect(learned(25, durations, 'video', true).skips).toBe(false)
  // a recording that breaks off is decoded evenly up to its end
  expect(learned(25, with2(36), 'video', true).skips).toBe(true)
  for (const from of [37, 12])
    expect(learned(25, even, 'video', true, (row) => (row < from ? 0 : 1)).skips).toBe(from === 12)
})

it('a recorder that begins with all the sound that it has keeps its distance from then on', () => {
  const pictures = new SampleTable()
  const sound = new SampleTable()
  let offset = 0
  const write = (table: SampleTable, count: number): void => {
    for (let unit = 0; unit < count; unit++, offset += 10) {
      const row = table.push(offset, 10, 1, 1, table.length, 0)
      table.dts[row] = row
    }
  }
  write(sound, 50)
  for (let turn = 0; turn < 3; turn++) {
    write(pictures, 10)
    write(sound, 10)
  }
  const tracks = [
    { description: lane(0, 'video', 25).description, table: pictures },
    { description: lane(1, 'audio', 25).description, table: sound },
  ]
  const reader = new ByteReader(new MemorySource(new Uint8Array(offset)))
  const { lead, spread } = learn(reader, tracks, [true, true])
  expect(lead[1]).toBeCloseTo(1.6)
  expect(spread[1]).toBeCloseTo(0)
})

it('times that a coarse clock rounds are of a constant rate, and its mean', () => {
  const prior = learned(1000, repeat(100, 66, 66, 68))
  expect(prior).toMatchObject({ constantRate: true, steady: true })
  expect(prior.unitDuration).toBeCloseTo(200 / 3, 2)
  // milliseconds in finer ticks
  expect(learned(90_000, repeat(100, 2970, 2970, 3060)).constantRate).toBe(true)
})

it('a rate that strays from the mean for a while is not constant', () => {
  expect(learned(1000, [...repeat(50, 66), ...repeat(50, 68)]).constantRate).toBe(false)
})
