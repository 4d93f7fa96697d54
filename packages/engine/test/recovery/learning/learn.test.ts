import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { learn } from '../../../src/recovery/learning/learn.ts'
import { lane } from '../lanes.ts'

/** What is learned of units, pictures unless told otherwise, that last that many ticks each. */
function learned(timescale: number, durations: readonly number[], kind: 'video' | 'data' = 'video') {
  const table = new SampleTable()
  let time = 0
  for (const [i, duration] of durations.entries()) {
    const row = table.push(i * 10, 10, 1, duration, i, 0)
    table.dts[row] = time
    time += duration
  }
  const { description } = lane(0, kind, timescale)
  const reader = new ByteReader(new MemorySource(new Uint8Array(durations.length * 10)))
  const [prior] = learn(reader, [{ description, table }], [true]).lanes
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

it('data that come in turn with nothing last their mean, without what is missing among them', () => {
  const prior = learned(8000, [...repeat(20, 1, 799), 40_000, ...repeat(20, 1, 799)], 'data')
  expect(Math.abs(prior.unitDuration - 400)).toBeLessThan(10)
})

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
