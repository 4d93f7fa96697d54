import { describe, expect, it } from 'vitest'
import { LossEvidence } from '../../src/photo/placing/losses.ts'
import type { Piece } from '../../src/photo/reading/pieces.ts'

const PART = { sections: [], step: 1, phase: 0, broken: true, flush: false } as const

/** Two pieces of 100 MCUs: the first one's take 400 bits each, the second one's 100; 10 000 bits between them are lost. */
const PIECES: Piece[] = [
  { ...PART, first: 0, count: 100, startBit: 0, endBit: 40_000 },
  { ...PART, first: 100, count: 100, startBit: 50_000, endBit: 60_000 },
]
const STARTS = Uint32Array.from({ length: 200 }, (_, i) => (i < 100 ? 400 * i : 50_000 + 100 * (i - 100)))

describe('lost bits', () => {
  it('are as many MCUs as those beside them are long', () => {
    const losses = new LossEvidence(PIECES, STARTS, 1_000, 5_000, undefined)
    expect(losses.expected(1)).toBeGreaterThan(35)
    expect(losses.expected(1)).toBeLessThan(45)
    expect(losses.of(1, 40)).toBeGreaterThan(losses.of(1, 80))
  })

  it('rule no number out, since bytes may have been cut out', () => {
    const losses = new LossEvidence(PIECES, STARTS, 1_000, 5_000, undefined)
    expect(losses.of(1, 3_000)).toBeCloseTo(losses.of(1, 4_000), 5)
    expect(losses.of(1, 40) - losses.of(1, 3_000)).toBeLessThan(12)
  })

  it('count for more where all of them together are as many as are missing', () => {
    const agreeing = new LossEvidence(PIECES, STARTS, 1_000, 5_000, 40)
    const other = new LossEvidence(PIECES, STARTS, 1_000, 5_000, 900)
    expect(agreeing.of(1, 500)).toBeLessThan(other.of(1, 500))
  })
})
