import { describe, expect, it } from 'vitest'
import { rightTime } from '../../../src/formats/matroska/mend/flipped-times.ts'

describe('the time of a block among its neighbours', () => {
  const near = [0, 33, 67, 100, 167, 200, 233, 267]

  it('is put right where one bit of it is flipped', () => {
    for (const bit of [12, 13, 14, 15])
      expect(rightTime(((133 ^ (1 << bit)) << 16) >> 16, near, 33.34)).toBe(133)
  })

  it('stays where it fits, is merely late, or no single bit explains it', () => {
    expect(rightTime(133, near, 33.34)).toBeUndefined()
    expect(rightTime(600, near, 33.34)).toBeUndefined()
    expect(rightTime(9_999, near, 33.34)).toBeUndefined()
  })
})
