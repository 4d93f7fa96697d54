import { describe, expect, it } from 'vitest'
import type { Runs } from '../../../../src/formats/isobmff/boxes/tables.ts'
import { mendRareDurations } from '../../../../src/formats/isobmff/mend/times/rare-durations.ts'
import { Allowance } from '../../../../src/model/allowance.ts'

/** Pictures of 1001 ticks of which some were dropped: runs of one to four, those after which one is missing twice as long. */
const WHOLE = Float64Array.from({ length: 60 }, (_, i) => (i % 17 === 9 ? 3003 : i % 2 === 0 ? 1001 : 2002))
const COUNTS = Uint32Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 1 + (i % 4) : 1))

function runs(values: Float64Array): Runs {
  return { length: values.length, counts: COUNTS, values }
}

const SUM = WHOLE.reduce((sum, value, i) => sum + value * COUNTS[i], 0)

/** The durations with single bits of several runs flipped. */
function hit(...bits: readonly (readonly [run: number, bit: number])[]): Runs {
  const values = WHOLE.slice()
  for (const [run, bit] of bits) values[run] ^= 1 << bit
  return runs(values)
}

function mended(damaged: Runs, exact: readonly number[], length: number, by: number, upheld = false) {
  return mendRareDurations(damaged, exact, { length, by, upheld }, new Allowance(100_000))
}

const FLIPS = [
  [3, 17],
  [4, 8],
  [21, 1],
  [24, 15],
  [33, 17],
  [40, 12],
] as const

describe('durations that recur, several of them hit', () => {
  it('go back to what recurs where all are then as long as the media', () => {
    expect(mended(hit(...FLIPS), [SUM], 0, 0)).toEqual(WHOLE)
  })

  it('go back although the length was hit as well, where another tells it roughly', () => {
    expect(mended(hit(...FLIPS), [SUM ^ 8], SUM + 40, 60)).toEqual(WHOLE)
    expect(mended(hit(...FLIPS), [], SUM - 40, 60)).toEqual(WHOLE)
  })

  it('go back although some of them add up to the hit length by chance, where two others tell it', () => {
    const both = SUM + (1 << 18)
    expect(mended(hit(...FLIPS), [both], SUM, 2, true)).toEqual(WHOLE)
    const left = hit([3, 17], [33, 17]).values
    expect(mended(hit(...FLIPS), [both], SUM, 2)).toEqual(left)
  })

  it('leave a rare one that the length asks for', () => {
    // one bit from the usual, and meant
    const meant = WHOLE.slice()
    meant[12] = 1000
    const sum = meant.reduce((total, value, i) => total + value * COUNTS[i], 0)
    const damaged = meant.slice()
    damaged[3] ^= 1 << 17
    damaged[30] ^= 1 << 8
    expect(mended(runs(damaged), [sum], 0, 0)).toEqual(meant)
  })

  it('stay as they are where no set of them has any length that is told', () => {
    expect(mended(hit(...FLIPS), [SUM + 5], SUM + 400, 60)).toBeUndefined()
    expect(mended(runs(WHOLE), [SUM], SUM, 60)).toBeUndefined()
  })
})
