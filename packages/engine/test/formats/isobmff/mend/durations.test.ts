import { expect, it } from 'vitest'
import { mendValues } from '../../../../src/formats/isobmff/mend/times/durations.ts'
import { Allowance } from '../../../../src/model/allowance.ts'

/** Durations of a variable rate, a run each. */
const DURATIONS = [3003, 2870, 3311, 2954, 3120, 2790, 3045, 3260, 2911, 3077, 2860, 3190]
const TOTAL = DURATIONS.reduce((sum, duration) => sum + duration, 0)

function mended(hits: Readonly<Record<number, number>>): number[] | undefined {
  const values = Float64Array.from(DURATIONS, (duration, i) => duration ^ (1 << (hits[i] ?? 31)))
  for (const [i, duration] of DURATIONS.entries()) if (hits[i] === undefined) values[i] = duration
  const runs = { length: values.length, counts: new Uint32Array(values.length).fill(1), values }
  const found = mendValues(runs, TOTAL, true, new Allowance(1e6))
  return found && [...found]
}

it('a duration that stands out is mended though others were hit by too little to be told', () => {
  const usual = mended({ 3: 17, 5: 6, 7: 2, 8: 9, 10: 4 })
  expect(usual?.[3]).toBe(DURATIONS[3])
  expect(usual?.[5]).toBe(DURATIONS[5] ^ (1 << 6))
})

it('two that stand out are mended by the sum, to the tick', () => {
  expect(mended({ 1: 20, 9: 15 })).toEqual(DURATIONS)
})

it('one that stands out by as much as the sum says is meant', () => {
  const paused = DURATIONS.with(4, DURATIONS[4] + (1 << 17))
  const runs = {
    length: paused.length,
    counts: new Uint32Array(paused.length).fill(1),
    values: Float64Array.from(paused),
  }
  const total = TOTAL + (1 << 17)
  expect([...(mendValues(runs, total, true, new Allowance(1e6)) ?? [])]).toEqual(paused)
})
