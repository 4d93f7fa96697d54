import { afterEach, describe, expect, it, vi } from 'vitest'
import { forwardDct } from '../../src/codecs/jpeg/dct.ts'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { BorderSamples } from '../../src/photo/levels/border-samples.ts'
import { type BorderStep, expectedOf, usualSteps } from '../../src/photo/levels/border-steps.ts'
import { BorderMeter } from '../../src/photo/levels/borders.ts'
import { edgeMeans } from '../../src/photo/levels/edge-means.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'

const LAYOUT = new McuLayout(320, 320, [{ id: 1, h: 1, v: 1, table: 0 }])
const TABLE = new Uint16Array(64).fill(1)
const UPPER = 20 * LAYOUT.mcuWide
/** Levels added to what lies below the border, and by which each row of flat blocks is brighter than the one above. */
const STEP = 5
const SLOPE = 0.5

function measured(apart: number): BorderStep | undefined {
  const coefficients = new Int16Array(LAYOUT.mcuCount * LAYOUT.mcuLength)
  for (let at = 0; at < LAYOUT.mcuCount; at++) {
    const row = Math.floor(at / LAYOUT.mcuWide)
    coefficients[at * LAYOUT.mcuLength] = 8 * (SLOPE * row + (at < UPPER ? 0 : STEP))
  }
  return measuredIn(coefficients, apart)
}

/** What is told of the border at `UPPER`. */
function measuredIn(coefficients: Int16Array, apart: number): BorderStep | undefined {
  const means = edgeMeans(coefficients, LAYOUT.mcuCount, LAYOUT, 0, TABLE)
  const owner = Int32Array.from({ length: LAYOUT.mcuCount }, (_, at) => (at < UPPER ? 0 : 1))
  const meter = new BorderMeter(new BorderSamples(coefficients, LAYOUT, 0, TABLE), means, owner)
  for (let at = UPPER; at < UPPER + LAYOUT.mcuWide; at++) meter.add(7, at, at - LAYOUT.mcuWide, apart)
  return meter.steps().get(7)
}

describe('a border between pieces', () => {
  it('is told from the slope that flat blocks hide', () => {
    expect(measured(0)?.difference).toBeCloseTo(-STEP, 1)
  })

  it('is the less sure the more rows lie between', () => {
    expect(measured(3)?.error).toBeGreaterThan(2)
    expect(measured(0)?.error).toBeLessThan(0.5)
  })
})

describe('a border of a restless picture', () => {
  /** Upright bars, of which in each block two columns of eight are of their own. */
  function bars(): Int16Array {
    const random = randomFrom(31)
    const level = (): number => 160 * random() - 80
    const columns = Float32Array.from({ length: 8 * LAYOUT.mcuWide }, level)
    const coefficients = new Int16Array(LAYOUT.mcuCount * LAYOUT.mcuLength)
    for (let at = 0; at < LAYOUT.mcuCount; at++) {
      const own = columns.slice(8 * (at % LAYOUT.mcuWide)).subarray(0, 8)
      for (let i = 0; i < 2; i++) own[Math.floor(8 * random())] = level()
      const step = at < UPPER ? 0 : STEP
      const samples = Float32Array.from({ length: 64 }, (_, i) => own[i % 8] + step)
      forwardDct(samples, 0, TABLE, coefficients, at * LAYOUT.mcuLength)
    }
    return coefficients
  }

  it('is told by the columns that go on', () => {
    const found = measuredIn(bars(), 0)
    expect(Math.abs((found?.difference ?? 0) + STEP)).toBeLessThan(0.3)
    expect(found?.error).toBeLessThan(0.5)
  })
})

describe('memory of borders', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('is in proportion to what is known of each, however many there are', () => {
    const coefficients = new Int16Array(LAYOUT.mcuCount * LAYOUT.mcuLength)
    const means = edgeMeans(coefficients, LAYOUT.mcuCount, LAYOUT, 0, TABLE)
    const owner = new Int32Array(LAYOUT.mcuCount)
    const meter = new BorderMeter(new BorderSamples(coefficients, LAYOUT, 0, TABLE), means, owner)
    let made = 0
    class Counted extends Float32Array {
      constructor(length: number) {
        super(length)
        made += length
      }
    }
    vi.stubGlobal('Float32Array', Counted)
    for (let at = UPPER; at < LAYOUT.mcuCount; at++) meter.add(at, at, at - LAYOUT.mcuWide, 0)
    expect(made).toBeLessThanOrEqual(128 * (LAYOUT.mcuCount - UPPER))
  })
})

describe('steps between rows that follow each other', () => {
  const groups = (step: (row: number) => number): number[][] =>
    Array.from({ length: 6 }, (_, group) => Array.from({ length: 8 }, (__, row) => step(8 * group + row)))

  it('tell each other where they change slowly', () => {
    const steps = groups((row) => 0.5 + 2 * Math.sin(row / 6))
    const usual = usualSteps(steps, steps)
    expect(usual.alike).toBeGreaterThan(0.8)
    expect(usual.errorBeside).toBeLessThan(usual.error / 3)
  })

  it('tell each other where an edge of the picture lies along one of them', () => {
    const random = randomFrom(4)
    const steps = groups((row) => (row === 12 ? -190 : Math.sin(row / 6) + 0.4 * random()))
    const usual = usualSteps(steps, steps)
    expect(usual.alike).toBeGreaterThan(0.7)
    expect(usual.errorBeside).toBeLessThan(usual.error / 2)
  })

  it('tell those that are measured in another way', () => {
    const blocks = groups((row) => 1 + 2 * Math.sin(row / 6))
    const usual = usualSteps(
      blocks.map((group) => group.map((step) => step / 2 + 3)),
      blocks,
    )
    expect(usual.alike).toBeCloseTo(0.5, 1)
    expect(expectedOf(usual, 2)).toBeCloseTo(4, 1)
    expect(expectedOf(usual, undefined)).toBeCloseTo(3.5, 0)
  })

  it('tell nothing of each other where they are noise', () => {
    const random = randomFrom(9)
    const steps = groups(() => 0.5 + random() - 0.5)
    const usual = usualSteps(steps, steps)
    expect(usual.alike).toBeLessThan(0.4)
    expect(usual.bias).toBeCloseTo(0.5, 0)
  })
})
