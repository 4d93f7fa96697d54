import { expect, it } from 'vitest'
import { HintedPictures } from '../../../src/codecs/av1/hinted-pictures.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'

/** Orders of units with these hints, with holes before the given ones; a unit whose hint is zero is a key frame. */
function orders(
  bits: number,
  hints: readonly (number | undefined)[],
  holes: readonly number[] = [],
): { order: number; restart: boolean }[] {
  const pictures = new HintedPictures(bits)
  return hints.map((hint, at) => {
    if (holes.includes(at)) pictures.discontinuity()
    const unit = new Unit()
    unit.key = hint === 0
    pictures.accept(unit, hint)
    return { order: unit.order, restart: unit.restart }
  })
}

it('hints count pictures over what is lost and over their own end', () => {
  const found = orders(4, [0, 1, 2, undefined, 4, 9, undefined, 14, 1], [5, 6, 8])
  expect(found.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 9, 10, 14, 17])
  expect(found.map(({ restart }) => restart)).toEqual([true, ...Array.from({ length: 8 }, () => false)])
})

it('where nothing is lost units are shown as they come, whatever a hint says', () => {
  expect(orders(7, [0, 1, 2, 99, 4, 5]).map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5])
})

it('counting starts anew at key frames of number zero', () => {
  expect(orders(7, [0, 1, 2, 0, 1]).map(({ order }) => order)).toEqual([0, 1, 2, 0, 1])
})

it('without hints pictures are counted', () => {
  expect(orders(0, [0, 0, 0, undefined]).map(({ order }) => order)).toEqual([0, 1, 2, 3])
})
