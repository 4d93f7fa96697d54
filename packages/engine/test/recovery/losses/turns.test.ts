import { expect, it } from 'vitest'
import { common, LastRanges } from '../../../src/recovery/losses/turns.ts'

it('what the last turns have in common is what is common to as many of them', () => {
  const last = new LastRanges()
  const all = { low: [] as number[], high: [] as number[] }
  for (let turn = 0; turn < 200; turn++) {
    const low = ((turn * 37) % 11) / 100
    const more = { low: [low, low / 2], high: [low + 0.05, low + (turn % 5) / 50] }
    last.remember(more, turn % 3)
    for (const [i, each] of more.low.entries()) {
      all.low.push(each + (turn % 3))
      all.high.push(more.high[i] + (turn % 3))
    }
    const expected = common({ low: all.low.slice(-64), high: all.high.slice(-64) })
    expect(last.common, `${turn}`).toEqual(expected)
  }
})

it('nothing is common to no turns', () => {
  expect(new LastRanges().common).toBeUndefined()
})
