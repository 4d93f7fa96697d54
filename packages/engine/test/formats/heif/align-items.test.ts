import { describe, expect, it } from 'vitest'
import { alignItems, type Slot } from '../../../src/formats/heif/mend/align-items.ts'
import type { FoundPicture } from '../../../src/formats/heif/mend/find-pictures.ts'

/** A thumbnail, Exif's data, six tiles, a map of brightness: in the order in which a phone writes them. */
const SLOTS: readonly Slot[] = [
  { picture: true, length: 4_000 },
  { picture: false, length: 2_000 },
  ...[20_000, 21_000, 22_000, 20_500, 19_000, 23_000].map((length) => ({ picture: true, length })),
  { picture: true, length: 8_000 },
]
const FRONT = 3_000
const SIZE = FRONT + SLOTS.reduce((sum, { length }) => sum + length, 0)

/** The pictures of such a file but for some, by their slots. */
function found(lost: readonly number[]): readonly FoundPicture[] {
  let offset = FRONT
  return SLOTS.flatMap(({ picture, length }, slot) => {
    const at = offset
    offset += length
    return picture && !lost.includes(slot) ? [{ offset: at, length, whole: true }] : []
  })
}

const slotsFilled = (lost: readonly number[], size = SIZE): boolean[] =>
  (alignItems(found(lost), SLOTS, size, SIZE)?.pictures ?? []).map((picture) => picture !== undefined)

const expected = (lost: readonly number[]): boolean[] =>
  SLOTS.map(({ picture }, slot) => picture && !lost.includes(slot))

describe('pictures found in a file', () => {
  it.each([
    ['all there', []],
    ['without the first ones', [0, 2, 3]],
    ['without one between others', [4]],
    ['without two between others', [4, 5]],
    ['without the last ones', [7, 8]],
  ])('%s, take the places of a sample', (_what, lost) => {
    const whole = lost.includes(8) ? SIZE - 31_000 : SIZE
    expect(slotsFilled(lost, whole)).toEqual(expected(lost))
  })

  it('are certain where all others are in their places, and guessed where some are gone at an end', () => {
    expect(alignItems(found([4]), SLOTS, SIZE, SIZE)?.guessed).toBe(false)
    expect(alignItems(found([0, 2]), SLOTS, SIZE, SIZE)?.guessed).toBe(true)
  })

  it('are guessed where one of them fits in no place', () => {
    const length = 200_000
    const more = [...found([]), { offset: SIZE + 100, length, whole: true }]
    expect(alignItems(more, SLOTS, SIZE + length, SIZE)?.guessed).toBe(true)
    expect(alignItems(found([]), SLOTS, SIZE, SIZE)?.guessed).toBe(false)
  })

  it('are not compared where both are too many', () => {
    const many = Array.from({ length: 3_000 }, (_, i) => ({ offset: 100 * i, length: 100, whole: true }))
    const slots = many.map(({ length }) => ({ picture: true, length }))
    expect(alignItems(many, slots, 300_000, 300_000)).toBeUndefined()
  })
})
