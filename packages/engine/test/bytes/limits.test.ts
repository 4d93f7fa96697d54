import { expect, test } from 'vitest'
import { DEFAULT_LIMITS, limitsFor } from '../../src/bytes/limits.ts'

test('a day of film has its samples, and tables of a small file stay small', () => {
  const day = 86_400
  // pictures and sound of a camera that watches, at 160 kbit/s
  expect(limitsFor((day * 160_000) / 8).samplesPerTrack).toBeGreaterThan(day * 75)
  expect(limitsFor(80e6).samplesPerTrack).toBeLessThan(4_000_000)
  expect(limitsFor(1e12)).toEqual(DEFAULT_LIMITS)
})
