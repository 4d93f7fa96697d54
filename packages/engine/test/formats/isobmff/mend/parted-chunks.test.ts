import { expect, it } from 'vitest'
import { arePartedByHabit } from '../../../../src/formats/isobmff/mend/chunks/parted-chunks.ts'
import { Lane } from '../../../../src/formats/isobmff/mend/chunks/track-chunks.ts'
import { Allowance } from '../../../../src/model/allowance.ts'

/** A track of chunks of one sample of 100 bytes each, with so many bytes behind each. */
function isParted(gaps: readonly number[]): boolean {
  let at = 0
  const offsets = Float64Array.from(gaps, (gap) => {
    const start = at
    at += 100 + gap
    return start
  })
  const map = {
    length: 1,
    firstChunk: Uint32Array.of(1),
    samples: Uint32Array.of(1),
    description: Uint32Array.of(1),
  }
  const sizes = { constant: 100, count: gaps.length, sizes: new Uint32Array(0) }
  const lane = new Lane(offsets, map, sizes, { bytes: 100, samples: 1 }, new Allowance(1e6))
  return arePartedByHabit([lane], offsets)
}

it('chunks are parted by habit where most of eight and more leave a gap', () => {
  expect(isParted(Array(9).fill(8))).toBe(true)
  expect(isParted(Array(8).fill(8))).toBe(false)
  expect(isParted(Array(9).fill(0))).toBe(false)
  expect(isParted(Array(9).fill(-8))).toBe(false)
  expect(isParted([...Array(8).fill(8), ...Array(8).fill(0), 0])).toBe(false)
  expect(isParted([...Array(9).fill(8), ...Array(8).fill(0), 0])).toBe(true)
})
