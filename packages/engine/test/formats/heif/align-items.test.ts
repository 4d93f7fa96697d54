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

  it('that tell how they are coded take no place of one that is coded in another way', () => {
    const slots = SLOTS.slice(2).map((slot, i) => ({ ...slot, coding: i === 6 ? 'small' : 'large' }))
    const pictures = found([0, 7]).map((picture, i) => ({ ...picture, coding: i === 5 ? 'small' : 'large' }))
    const aligned = alignItems(pictures, slots, SIZE, SIZE)
    expect(aligned?.pictures.map((picture) => picture?.coding)).toEqual([
      ...Array.from({ length: 5 }, () => 'large'),
      ...[undefined, 'small'],
    ])
  })

  it('of other kinds are left behind rather than that all others move by one place', () => {
    const kindOf = (slot: number): string => (slot === 0 ? 'thumbnail' : slot === 8 ? 'map' : 'tile')
    const slots = SLOTS.slice(0, 8).map((slot, i) => ({ ...slot, kind: kindOf(i) }))
    const lost = [0, 2, 3, 4]
    const pictures = found(lost)
    const kinds = [5, 6, 7, 8].map((slot, i) => ({ ...pictures[i], kind: kindOf(slot) }))
    const without = alignItems(pictures, slots, SIZE, SIZE)
    const told = alignItems(kinds, slots, SIZE, SIZE)
    expect(without?.pictures[4]).toBeDefined()
    expect(told?.pictures.map((picture) => picture !== undefined)).toEqual(slots.map((_, slot) => slot >= 5))
    expect(told?.guessed).toBe(true)
  })

  it('of which one has no place are guessed, those that follow behind the last place do not move the others', () => {
    const more = [...found([]), { offset: SIZE, length: 21_000, whole: true }]
    const aligned = alignItems(more, SLOTS, SIZE + 21_000, SIZE)
    expect(aligned?.guessed).toBe(true)
    expect(aligned?.pictures.map((picture) => picture?.offset)).toEqual(
      alignItems(found([]), SLOTS, SIZE, SIZE)?.pictures.map((picture) => picture?.offset),
    )
  })

  it('are not compared where both are too many', () => {
    const many = Array.from({ length: 3_000 }, (_, i) => ({ offset: 100 * i, length: 100, whole: true }))
    const slots = many.map(({ length }) => ({ picture: true, length }))
    expect(alignItems(many, slots, 300_000, 300_000)).toBeUndefined()
  })
})
