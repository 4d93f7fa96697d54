import { describe, expect, it } from 'vitest'
import { type Border, balance } from '../../src/photo/levels/balance.ts'
import { inWholeSteps } from '../../src/photo/levels/whole-steps.ts'

const UNIT = 1.125
const FAR_OFF = 2

/** A border whose difference is so many steps of DC. */
const border = (above: number, below: number, steps: number, error: number): Border => ({
  above,
  below,
  difference: steps * UNIT,
  weight: (error * UNIT) ** -2,
  farOff: FAR_OFF,
})

describe('Offsets in whole steps of DC', () => {
  it('do not drift where each border is off by less than half a step', () => {
    const steps = [0, 3, 2, -7, -7, 40, 41, 12, 11, 11, 10, 5]
    const known = steps.map((_, group) => group === 0)
    const borders = steps
      .slice(1)
      .map((step, group) => border(group, group + 1, step - steps[group] + 0.3, 0.2))
    const balanced = balance(known, borders, [])
    expect(Math.round(balanced.offsets[11] / UNIT)).toBe(8)
    expect([...inWholeSteps(balanced, -1, UNIT)].slice(0, steps.length)).toEqual(steps)
  })

  it('are told by the surest border first', () => {
    // by itself the second group's border would be rounded to 5
    const borders = [border(0, 1, 4.6, 0.4), border(2, 1, 2, 0.05), border(0, 2, 2.1, 0.1)]
    const balanced = balance([true, false, false], borders, [])
    expect([...inWholeSteps(balanced, -1, UNIT)].slice(0, 3)).toEqual([0, 4, 2])
  })

  it('move together behind a border that tells too little', () => {
    const steps = [0, 3, 3, 13, 1, 5, 5, 6, 4, -9]
    const known = steps.map((_, group) => group === 0)
    const borders = steps.slice(1).map((step, group) => {
      const [off, error] = group === 2 ? [-0.7, 0.6] : [0.3, 0.2]
      return border(group, group + 1, step - steps[group] + off, error)
    })
    const balanced = balance(known, borders, [])
    const told = [...inWholeSteps(balanced, -1, UNIT)].slice(0, steps.length)
    // one step too low, as that border is, and as the errors of borders in front of it do not make it
    expect(told).toEqual(steps.map((step, group) => (group < 3 ? step : step - 1)))
  })

  it('leave a preview between steps', () => {
    const preview = 3
    const known = [true, false, false, false]
    const told = [0, 5, -3].map((steps, group) => border(preview, group, steps - 0.5, 0.1))
    const balanced = balance(known, told, [])
    expect([...inWholeSteps(balanced, preview, UNIT)].slice(0, 3)).toEqual([0, 5, -3])
  })

  it('are those of each group alone where no border tells', () => {
    const balanced = balance([true, false], [], [{ least: 4 * UNIT, most: 6 * UNIT }, undefined])
    expect([...inWholeSteps(balanced, -1, UNIT)].slice(0, 2)).toEqual([0, 0])
  })
})
