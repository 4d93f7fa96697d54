import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { EnvironmentError } from '@mendframe/engine/errors'
import { describe, expect, test } from 'vitest'
import { Copier } from '../src/copier.ts'
import { Folder } from './folder.ts'

/** Milliseconds in which what was begun would show. */
const MOMENT = 20

/** Files of a test: noise to copy from, an empty one to copy into. */
function files(folder: Folder, length: number) {
  const origin = Buffer.from(Array.from({ length }, (_, at) => (at * 31 + (at >> 9)) & 255))
  writeFileSync(folder.file('in'), origin)
  return { origin, input: openSync(folder.file('in'), 'r'), output: openSync(folder.file('out'), 'w+') }
}

test('every order is done, and every byte of it told', async () => {
  using folder = new Folder()
  const { origin, input, output } = files(folder, 3_000_000)
  const orders = [
    { from: 0, at: 10, length: 1 },
    { from: 5, at: 11, length: 1_700_001 },
    { from: 2_000_000, at: 1_700_012, length: 262_144 },
    { from: 2_999_999, at: 1_962_156, length: 3 },
  ]
  const total = orders.reduce((sum, { length }) => sum + length, 0)
  const copier = new Copier(input, output, 'the output')
  let told = 0
  await new Promise<void>((resolve, reject) => {
    copier.listen({
      done: (bytes) => {
        told += bytes
        if (told === total) resolve()
      },
      failed: reject,
    })
    for (const order of orders) copier.add(order)
  })
  copier.stop()
  closeSync(input)
  closeSync(output)
  const expected = Buffer.alloc(10 + total)
  for (const { from, at, length } of orders) origin.copy(expected, at, from, from + length)
  expect(readFileSync(folder.file('out')).equals(expected)).toBe(true)
})

test('zeros that are copied are told with the bytes', async () => {
  using folder = new Folder()
  const origin = Buffer.alloc(1_000_000, 1).fill(0, 300_000, 301_000)
  writeFileSync(folder.file('in'), origin)
  const [input, output] = [openSync(folder.file('in'), 'r'), openSync(folder.file('out'), 'w')]
  const copier = new Copier(input, output, 'the output')
  const zeros = await new Promise((resolve, reject) => {
    copier.listen({ done: (_bytes, found) => resolve(found), failed: reject })
    copier.add({ from: 0, at: 0, length: origin.length })
  })
  copier.stop()
  closeSync(input)
  closeSync(output)
  expect(zeros).toEqual([{ offset: 300_000, length: 1000 }])
})

test('a full disk is told once, and what was ordered behind is left', async () => {
  using folder = new Folder()
  const { input } = files(folder, 3_000_000)
  const output = openSync('/dev/full', 'w')
  const copier = new Copier(input, output, 'the output')
  const failures: EnvironmentError[] = []
  copier.listen({ done: () => expect.fail('nothing was copied'), failed: (error) => failures.push(error) })
  for (let at = 0; at < 3_000_000; at += 100_000) copier.add({ from: at, at, length: 100_000 })
  await expect.poll(() => failures.length).toBe(1)
  copier.stop()
  closeSync(input)
  closeSync(output)
  expect(failures).toEqual([new EnvironmentError('cannot write the output: the disk is full')])
})

test('after a stop nothing is under way, and nothing begins', async () => {
  using folder = new Folder()
  const { input, output } = files(folder, 3_000_000)
  const copier = new Copier(input, output, 'the output')
  copier.add({ from: 0, at: 0, length: 3_000_000 })
  copier.stop()
  const { length } = readFileSync(folder.file('out'))
  expect(length).toBeLessThan(3_000_000)
  copier.add({ from: 0, at: 0, length: 3_000_000 })
  const idle = new Copier(input, output, 'the output')
  idle.stop()
  idle.add({ from: 0, at: 0, length: 3_000_000 })
  await setTimeout(MOMENT)
  expect(readFileSync(folder.file('out')).length).toBe(length)
  closeSync(input)
  closeSync(output)
})

test('orders that no file could fulfil are none', async () => {
  using folder = new Folder()
  const { origin, input, output } = files(folder, 1000)
  const copier = new Copier(input, output, 'the output')
  let told = 0
  copier.listen({ done: (bytes) => (told += bytes), failed: (error) => expect.fail(error.message) })
  for (const wrong of [-1, 0.5, Number.NaN, 2 ** 60]) {
    copier.add({ from: wrong, at: 0, length: 10 })
    copier.add({ from: 0, at: wrong, length: 10 })
  }
  for (const wrong of [-1, 0.5, Number.NaN, 0]) copier.add({ from: 0, at: 0, length: wrong })
  copier.add({ from: 3, at: 0, length: 5 })
  await expect.poll(() => told).toBeGreaterThanOrEqual(5)
  await setTimeout(MOMENT)
  copier.stop()
  closeSync(input)
  closeSync(output)
  expect(told).toBe(5)
  expect(readFileSync(folder.file('out')).equals(origin.subarray(3, 8))).toBe(true)
})

describe('copying ahead', () => {
  const lead = 4096
  const length = 3_000_000

  /** Copies ahead to the end, then does the orders; returns the target and how many bytes were told. */
  async function run(orders: readonly { from: number; at: number; length: number }[]) {
    using folder = new Folder()
    const { origin, input, output } = files(folder, length)
    const copier = new Copier(input, output, 'the output')
    copier.ahead(lead, length)
    await expect.poll(() => readFileSync(folder.file('out')).length).toBe(lead + length)
    copier.hold()
    // what comes of an order that is done ahead is seen by what stands there
    writeSync(output, Buffer.alloc(1), 0, 1, lead + 100)
    let told = 0
    const total = orders.reduce((sum, order) => sum + order.length, 0)
    copier.listen({ done: (bytes) => (told += bytes), failed: (error) => expect.fail(error.message) })
    for (const order of orders) copier.add(order)
    await expect.poll(() => told).toBe(total)
    copier.stop()
    closeSync(input)
    closeSync(output)
    return { origin, target: readFileSync(folder.file('out')) }
  }

  test('leaves nothing to do of orders that agree', async () => {
    const { origin, target } = await run([{ from: 50, at: lead + 50, length: length - 50 }])
    expect(target[lead + 100]).toBe(0)
    expect(target.subarray(lead + 101).equals(origin.subarray(101))).toBe(true)
  })

  test('goes by what is foretold, which another order ends', async () => {
    using folder = new Folder()
    const { origin, input, output } = files(folder, length)
    const copier = new Copier(input, output, 'the output')
    copier.ahead(lead, length)
    copier.foretell({ from: 0, at: 0, length: 1_000_000 })
    copier.foretell({ from: 1_000_100, at: 1_000_000, length: 500_000 })
    await expect.poll(() => readFileSync(folder.file('out')).length).toBeGreaterThanOrEqual(1_500_000)
    // what is there already is not copied again
    writeSync(output, Buffer.alloc(1), 0, 1, 1_200_000)
    let told = 0
    copier.listen({ done: (bytes) => (told += bytes), failed: (error) => expect.fail(error.message) })
    copier.add({ from: 0, at: 0, length: 1_000_000 })
    copier.add({ from: 1_000_100, at: 1_000_000, length: 1_000_000 })
    copier.add({ from: 5, at: 2_000_000, length: 10 })
    copier.foretell({ from: 0, at: 2_000_010, length: 100_000 })
    await expect.poll(() => told).toBe(2_000_010)
    await setTimeout(MOMENT)
    copier.stop()
    closeSync(input)
    closeSync(output)
    const target = readFileSync(folder.file('out')).subarray(0, 2_000_010)
    const expected = Buffer.concat([
      origin.subarray(0, 1_000_000),
      origin.subarray(1_000_100, 2_000_100),
      origin.subarray(5, 15),
    ])
    expected[1_200_000] = 0
    expect(target.equals(expected)).toBe(true)
  })

  test('counts for nothing from the first order on that wants bytes elsewhere', async () => {
    const { origin, target } = await run([
      { from: 90, at: lead + 80, length: 10 },
      { from: 90, at: lead + 90, length: length - 90 },
    ])
    const expected = Buffer.from(origin)
    origin.copy(expected, 80, 90, 100)
    expect(target.subarray(lead).equals(expected)).toBe(true)
  })

  test('that was held before it did anything leaves all of it to do', async () => {
    using folder = new Folder()
    const { origin, input, output } = files(folder, 1000)
    const copier = new Copier(input, output, 'the output')
    let told = 0
    copier.listen({ done: (bytes) => (told += bytes), failed: (error) => expect.fail(error.message) })
    copier.ahead(lead, 1000)
    copier.hold()
    copier.add({ from: 0, at: lead, length: 1000 })
    await expect.poll(() => told).toBe(1000)
    copier.stop()
    closeSync(input)
    closeSync(output)
    expect(readFileSync(folder.file('out')).subarray(lead).equals(origin)).toBe(true)
  })

  test('ends with a stop', async () => {
    using folder = new Folder()
    const { input, output } = files(folder, length)
    const copier = new Copier(input, output, 'the output')
    copier.ahead(lead, length)
    copier.stop()
    await setTimeout(MOMENT)
    expect(readFileSync(folder.file('out')).length).toBe(0)
    closeSync(input)
    closeSync(output)
  })

  test('that fails fails nobody', async () => {
    using folder = new Folder()
    const { input } = files(folder, 1000)
    const output = openSync('/dev/full', 'w')
    const copier = new Copier(input, output, 'the output')
    const failures: EnvironmentError[] = []
    copier.listen({ done: () => expect.fail('nothing was copied'), failed: (error) => failures.push(error) })
    copier.ahead(0, 1000)
    await setTimeout(MOMENT)
    expect(failures).toEqual([])
    copier.add({ from: 0, at: 0, length: 1000 })
    await expect.poll(() => failures.length).toBe(1)
    copier.stop()
    closeSync(input)
    closeSync(output)
  })
})
