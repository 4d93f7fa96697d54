import { expect, it } from 'vitest'
import type { CaseResult } from '../../src/bench/cases.ts'
import { promiseLine } from '../../src/bench/table.ts'

function result(status: number, score: { readonly times?: number; readonly sync?: number }): CaseResult {
  const whole = { frames: 1, times: 1, audio: 1, data: 1, structure: 1, sync: 0, tracks: [] }
  return {
    clip: 'film',
    damage: 'cut',
    results: [{ status, score: { ...whole, ...score } }],
  } as unknown as CaseResult
}

it('a promise is broken by pictures at the wrong times and by sound that is out of step with them', () => {
  const told = (results: readonly CaseResult[]) =>
    promiseLine(results)
      .match(/\d+(?=[:;]| from|$)/g)
      ?.map(Number)
  const deserved = result(0, { sync: 0.125 })
  expect(told([deserved, result(0, { times: 0.96 }), result(0, { sync: -0.13 })])).toEqual([2, 1, 1])
  expect(told([deserved, result(3, { times: 0.96 }), result(3, { sync: 0.13 })])).toEqual([0, 1, 1])
  expect(told([deserved, result(3, {})])).toEqual([0, 2, 1])
})
