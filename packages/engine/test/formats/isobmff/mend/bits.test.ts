import { describe, expect, it } from 'vitest'
import { differByOneBit, isPowerOfTwo } from '../../../../src/formats/isobmff/mend/bits.ts'

describe('a flipped bit', () => {
  it('is a whole power of two, up to the largest offset there is', () => {
    expect([1, 2, 4, 2 ** 31, 2 ** 46].every(isPowerOfTwo)).toBe(true)
    expect([0, 3, -2, 0.5, 2 ** -26, 2 ** 47, Number.NaN].some(isPowerOfTwo)).toBe(false)
  })

  it('makes no fraction of a number', () => {
    expect(differByOneBit(5, 4)).toBe(true)
    expect(differByOneBit(5, 5)).toBe(false)
    expect(differByOneBit(4 + 2 ** -26, 5)).toBe(false)
    expect(differByOneBit(5, 4.5)).toBe(false)
  })
})
