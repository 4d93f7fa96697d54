import { describe, expect, it } from 'vitest'
import { type HeldTrack, isTrusted } from '../../../src/recording/judge/trusted-index.ts'

/** A track of twenty rows of which so many fit, are damaged, are broken or lie outside; a row that fits shows ten bits. */
function held(fits: number, damaged = 0, broken = 0, outside = 0): HeldTrack {
  return { rows: 20, alignment: { fits, damaged, broken, outside }, weight: 10 }
}

describe('an index', () => {
  it.each([
    ['of which entries show sixty bits together is followed', [held(6, 0, 14)], true],
    ['of which fewer fit is not: they may do by chance', [held(5, 0, 15)], false],
    ['of which entries fit that were hit inside is followed', [held(2, 4, 14)], true],
    ['of two tracks is followed for what both show', [held(3, 0, 17), held(2, 1, 17)], true],
    ['of which nothing can be checked is followed', [held(0)], true],
    ['of which nothing is left is not', [held(0, 0, 12, 8)], false],
    ['of no rows is not', [{ ...held(0), rows: 0 }], false],
    ['of no track is not', [], false],
  ])('%s', (_, tracks, followed) => {
    expect(isTrusted(tracks)).toBe(followed)
  })

  it('is followed no less for one more entry that fits', () => {
    for (let fits = 0; fits < 20; fits++) {
      const less = isTrusted([held(fits, 0, 20 - fits)])
      expect(Number(isTrusted([held(fits + 1, 0, 19 - fits)]))).toBeGreaterThanOrEqual(Number(less))
    }
  })
})
