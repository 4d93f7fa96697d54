import { expect, it } from 'vitest'
import { WeakUnits } from '../../../src/recovery/carving/weak-units.ts'

it('remembers the last few thousand units, in time that does not grow with those forgotten', () => {
  const weak = new WeakUnits()
  const before = process.threadCpuUsage()
  for (let at = 0; at < 400_000; at++) weak.remember(at * 10, at * 10 + 10)
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(1)
  const reached = weak.chainTo(4_000_000)
  expect(reached).toBeLessThanOrEqual(4_000_000 - 40_960)
  expect(reached).toBeGreaterThanOrEqual(4_000_000 - 81_920)
})
