import { expect, test } from 'vitest'
import { ReadAhead } from '../src/read-ahead.ts'

const KIB = 1024

test('reads from memory fetch nothing, and neither do long ones', () => {
  const ahead = new ReadAhead()
  expect(ahead.after(0, 8 * KIB, 0.003)).toBe(0)
  expect(ahead.after(0, 256 * KIB, 5)).toBe(0)
})

test('a single slow read fetches nothing: it may have waited for the processor', () => {
  const ahead = new ReadAhead()
  for (let turn = 0; turn < 6; turn++)
    expect(ahead.after(turn * 70 * KIB, 8 * KIB, turn % 2 === 0 ? 2 : 0.003)).toBe(0)
})

test('small reads from the disk that go on fetch ever more, up to a bound', () => {
  const ahead = new ReadAhead()
  const fetched: number[] = []
  let at = 1_000_000
  for (let turn = 0; turn < 7; turn++) {
    expect(ahead.after(at, 8 * KIB, 0.2)).toBe(0)
    at += 48 * KIB
    const bytes = ahead.after(at, 8 * KIB, 0.2)
    fetched.push(bytes / KIB)
    at += 8 * KIB + bytes + 40_000
  }
  expect(fetched).toEqual([256, 512, 1024, 2048, 4096, 4096, 4096])
})

test('a jump begins with little again', () => {
  const ahead = new ReadAhead()
  for (let at = 0; at < 8; at++) ahead.after(at * 300 * KIB, 8 * KIB, 0.2)
  ahead.after(900_000_000, 8 * KIB, 0.2)
  expect(ahead.after(900_100_000, 8 * KIB, 0.2)).toBe(256 * KIB)
})
