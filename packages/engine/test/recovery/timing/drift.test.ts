import { expect, it } from 'vitest'
import { drifts } from '../../../src/recovery/timing/drift.ts'

const UNIT = 0.04
const TIMES = Array.from({ length: 20 }, (_, i) => i / 2)
/** Rises and falls by turns, as where sound and pictures lie in runs. */
const swing = (i: number): number => (i % 2) * 0.02

it('sees that values rise or fall all along, by more than they swing', () => {
  for (const slope of [0.02, -0.02])
    expect(
      drifts(
        TIMES,
        TIMES.map((time, i) => time * slope + swing(i)),
        UNIT,
      ),
    ).toBe(true)
  expect(
    drifts(
      TIMES,
      TIMES.map((_, i) => swing(i)),
      UNIT,
    ),
  ).toBe(false)
  expect(
    drifts(
      TIMES,
      TIMES.map((time, i) => time * 0.02 + swing(i) * 25),
      UNIT,
    ),
  ).toBe(false)
  // one step in the middle is no trend, nor is less than a unit
  expect(
    drifts(
      TIMES,
      TIMES.map((time) => (time === 5 ? 0.5 : 0)),
      UNIT,
    ),
  ).toBe(false)
  expect(
    drifts(
      TIMES,
      TIMES.map((time) => time * 0.003),
      UNIT,
    ),
  ).toBe(false)
  expect(drifts(TIMES.slice(0, 7), TIMES.slice(0, 7), UNIT)).toBe(false)
})

it('takes values that run away for the clock of one of both being wrong', () => {
  const values = TIMES.map((time) => time * (1 - 25 / 60))
  expect(drifts(TIMES, values, UNIT)).toBe(false)
})
