import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Gate, type Point, tautString } from '../../../src/recovery/timing/taut-string.ts'

const ORIGIN = { x: 0, y: 0 }

/** Height of a line at `x`. */
function at(line: readonly Point[], x: number): number {
  const next = Math.max(
    1,
    line.findIndex((point) => point.x >= x),
  )
  const [a, b] = [line[next - 1], line[next]]
  return a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x)
}

describe('a string pulled tight through gates', () => {
  it('is level where the gates allow it', () => {
    const gates = [1, 2, 3].map((x) => ({ x, low: -1, high: 1 }))
    expect(tautString(ORIGIN, gates)).toEqual([ORIGIN, { x: 3, y: 0 }])
  })

  it('turns at the posts that it touches, and goes on level', () => {
    const gates: Gate[] = [
      { x: 1, low: -5, high: 5 },
      { x: 2, low: 2, high: 6 },
      { x: 3, low: 0, high: 6 },
      { x: 4, low: -3, high: -1 },
      { x: 5, low: -9, high: 9 },
    ]
    expect(tautString(ORIGIN, gates)).toEqual([ORIGIN, { x: 2, y: 2 }, { x: 4, y: -1 }, { x: 5, y: -1 }])
  })

  it('follows a slope of the gates straight', () => {
    const gates = Array.from({ length: 50 }, (_, i) => ({ x: i + 1, low: 3 * i - 2, high: 3 * i + 2 }))
    const line = tautString(ORIGIN, gates)
    for (const { x } of gates.slice(2)) expect(Math.abs(at(line, x) - 3 * (x - 1))).toBeLessThanOrEqual(2)
    expect(line.length).toBeLessThanOrEqual(4)
  })

  it('passes every gate, and no other line through them is shorter', () => {
    const gate = fc.record({
      step: fc.integer({ min: 1, max: 9 }),
      low: fc.integer({ min: -20, max: 20 }),
      room: fc.integer({ min: 0, max: 15 }),
      bend: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(gate, { minLength: 1, maxLength: 30 }), (made) => {
        let x = 0
        const gates = made.map(({ step, low, room }) => {
          x += step
          return { x, low, high: low + room }
        })
        const line = tautString(ORIGIN, gates)
        for (const { x, low, high } of gates) {
          expect(at(line, x)).toBeGreaterThanOrEqual(low - 1e-9)
          expect(at(line, x)).toBeLessThanOrEqual(high + 1e-9)
        }
        const other = gates.map(({ x, low, high }, i) => ({ x, y: low + (high - low) * made[i].bend }))
        expect(length(line)).toBeLessThanOrEqual(length([ORIGIN, ...other]) + 1e-9)
      }),
    )
  })
})

function length(line: readonly Point[]): number {
  return line.slice(1).reduce((sum, { x, y }, i) => sum + Math.hypot(x - line[i].x, y - line[i].y), 0)
}
