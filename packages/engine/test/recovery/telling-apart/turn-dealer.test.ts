import { describe, expect, it, vi } from 'vitest'
import { Allowance } from '../../../src/model/allowance.ts'
import { dealShares } from '../../../src/recovery/telling-apart/share-dealer.ts'
import { dealTurns, type Stretch } from '../../../src/recovery/telling-apart/turn-dealer.ts'

/** Units in the order in which clocks that stand so bring them, each `clear` bits like its own lane. */
function stretch(order: readonly number[], lengths: readonly number[], clear: number): Stretch {
  return {
    units: order.length,
    seconds: (_, lane) => lengths[lane],
    bits: (unit, lane) => (order[unit] === lane ? 0 : -clear),
    begins: () => false,
    beginning: lengths.map(() => 0),
  }
}

function inTurn(stand: readonly number[], lengths: readonly number[], units: number): number[] {
  const clocks = [...stand]
  return Array.from({ length: units }, () => {
    const lane = clocks.indexOf(Math.min(...clocks))
    clocks[lane] += lengths[lane]
    return lane
  })
}

const ENOUGH = new Allowance(Number.POSITIVE_INFINITY)
const LENGTHS = [1024 / 44_100, 1024 / 48_000]

describe('units of tracks that take turns', () => {
  it('behind a hole are dealt by what they are like', () => {
    const order = inTurn([0.004, 0.0017], LENGTHS, 300)
    const deal = dealTurns(stretch(order, LENGTHS, 2), [0, 0], true, undefined, ENOUGH)
    const right = order.filter((lane, unit) => deal.which[unit] === lane).length
    expect(right).toBeGreaterThan(280)
    expect(deal.guessed).toBe(false)
  })

  it('behind a hole are guessed where nothing tells them apart', () => {
    const order = inTurn([0.004, 0.0017], LENGTHS, 300)
    expect(dealTurns(stretch(order, LENGTHS, 0), [0, 0], true, undefined, ENOUGH).guessed).toBe(true)
  })

  it('without a hole keep their clocks, whatever a few of them are like', () => {
    const order = inTurn([0, 0.001], LENGTHS, 60)
    const seen = order.map((lane, unit) => (unit % 9 === 4 ? 1 - lane : lane))
    const deal = dealTurns(stretch(seen, LENGTHS, 4), [0, 0.001], false, [0, 0.001], ENOUGH)
    expect([...deal.which]).toEqual(order)
    expect(deal.guessed).toBe(false)
  })

  it('of many tracks are dealt without trying all ways in which their clocks may stand, and in doubt', () => {
    const lengths = Array.from({ length: 22 }, () => 1024 / 48_000)
    const order = inTurn(
      lengths.map((_, lane) => lane / 2000),
      lengths,
      60,
    )
    let asked = 0
    const seconds = (_: number, lane: number): number => {
      asked++
      return lengths[lane]
    }
    const counted = { ...stretch(order, lengths, 2), seconds }
    const deal = dealTurns(
      counted,
      lengths.map(() => 0),
      true,
      undefined,
      ENOUGH,
    )
    expect(asked).toBeLessThan(200_000)
    expect(deal.guessed).toBe(true)
  })

  it('behind one hole after another are guessed once telling how clocks stand has cost enough', () => {
    let asked = 0
    const order = inTurn([0.004, 0.0017], LENGTHS, 300)
    const { bits, ...rest } = stretch(order, LENGTHS, 2)
    const counted = { ...rest, bits: (unit: number, lane: number) => bits(unit, lane) + 0 * asked++ }
    const looks = new Allowance(2e6)
    const guessed = Array.from(
      { length: 50 },
      () => dealTurns(counted, [0, 0], true, undefined, looks).guessed,
    )
    expect(guessed.indexOf(true)).toBe(3)
    expect(guessed.lastIndexOf(false)).toBe(2)
    looks.grant(1e9)
    expect(dealTurns(counted, [0, 0], true, undefined, looks).guessed).toBe(false)
  })

  it('are dealt anew, and in doubt, from where one is missing', () => {
    const lengths = [1024 / 48_000, 1024 / 48_000]
    const whole = inTurn([0, 0.01], lengths, 200)
    const order = whole.filter((_, unit) => unit !== 81)
    const deal = dealTurns(stretch(order, lengths, 5), [0, 0.01], false, [0, 0.01], ENOUGH)
    expect([...deal.which]).toEqual(order)
    expect(deal.guessed).toBe(true)
  })
})

const WHOLE = { before: false, after: false }

describe('units of tracks in shares', () => {
  it('part where they begin to be like the other track, near where time has it', () => {
    const order = [...new Array(31).fill(0), ...new Array(47).fill(1)]
    const deal = dealShares(stretch(order, [0.032, 1024 / 48_000], 6), [0, 0], 47, undefined, WHOLE)
    expect([...deal.which]).toEqual(order)
    expect(deal.guessed).toBe(false)
  })

  it('part so between two holes, too, and are guessed where they are alike', () => {
    const order = [...new Array(13).fill(0), ...new Array(20).fill(1)]
    const between = { before: true, after: true }
    const told = dealShares(stretch(order, [0.02, 0.02], 6), [0, 0], 24, [0, 1], between)
    expect([...told.which]).toEqual(order)
    expect(told.guessed).toBe(false)
    expect(dealShares(stretch(order, [0.02, 0.02], 0), [0, 0], 24, [0, 1], between).guessed).toBe(true)
  })

  it('of millions of units are dealt without laying a round out', () => {
    let longest = 0
    const fill = Array.prototype.fill
    const fills = vi.spyOn(Array.prototype, 'fill').mockImplementation(function (
      this: unknown[],
      value: unknown,
    ) {
      longest = Math.max(longest, this.length)
      return fill.call(this, value)
    })
    const deal = dealShares(stretch([0, 0, 1], [0.02, 0.02], 6), [0, 0], 3_000_000, [0, 1], {
      before: true,
      after: false,
    })
    fills.mockRestore()
    expect([...deal.which]).toEqual([1, 1, 1])
    expect(longest).toBeLessThan(1_000)
  })
})
