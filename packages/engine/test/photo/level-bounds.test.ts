import { describe, expect, it } from 'vitest'
import { boundsOfLuminance, commonBounds } from '../../src/photo/levels/level-bounds.ts'

const COUNT = 200
/** Step of DC: one level. */
const STEP = 8

/** Bounds of MCUs whose edges have these levels from dark to bright, of which so many were invented and have any. */
function boundsOf(dark: number, bright: number, invented = 0) {
  const top = Float32Array.from({ length: COUNT }, (_, i) =>
    i < invented ? 900 : dark + ((bright - dark) * i) / (COUNT - 1),
  )
  const bottom = Float32Array.from(top, (value, i) => (i < invented ? -900 : value))
  return boundsOfLuminance({ top, bottom }, { first: 0, count: COUNT, known: false }, STEP)
}

describe('what may be added to the luminance of a section', () => {
  it('leaves none of it darker than black or brighter than white', () => {
    const { least, most } = boundsOf(-30, 100)
    expect(least).toBeGreaterThan(-120)
    expect(least).toBeLessThan(-98)
    expect(most).toBeGreaterThan(27)
    expect(most).toBeLessThan(50)
  })

  it('is told as well where a few MCUs were invented', () => {
    const { least, most } = boundsOf(-30, 100, 8)
    expect(least).toBeLessThan(-90)
    expect(most).toBeGreaterThan(20)
  })

  it('is not told of so few that all may have been invented', () => {
    const means = { top: new Float32Array(16).fill(120), bottom: new Float32Array(16).fill(120) }
    expect(boundsOfLuminance(means, { first: 0, count: 16, known: false }, STEP).most).toBe(Infinity)
  })

  it('is told of all that have the same offset together, unless they contradict each other', () => {
    expect(commonBounds([boundsOf(-30, 100), boundsOf(-120, 0)])?.least).toBeGreaterThan(-35)
    expect(commonBounds([boundsOf(-30, 100), boundsOf(-200, -180)])).toBeUndefined()
  })
})
