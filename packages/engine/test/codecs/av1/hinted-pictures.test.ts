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
  const found = orders(4, [0, 1, 2, undefined, 4, 9, undefined, 11, 1, 2], [5, 8])
  expect(found.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5, 6, 11, 12, 18])
  expect(found.map(({ restart }) => restart)).toEqual([true, ...Array.from({ length: 9 }, () => false)])
})

it('a hint that the next ones do not go on from counts nothing', () => {
  expect(orders(7, [0, 1, 77, 3, 4, 30, 6], [2]).map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(orders(7, [0, 1, 99, 20, 21, 22], [2]).map(({ order }) => order)).toEqual([0, 1, 2, 3, 21, 22])
})

it('a unit too many, as one torn in two is, counts nothing and takes no place of its own', () => {
  const found = orders(7, [0, 1, undefined, undefined, 3, 4, 5], [2])
  expect(found.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 4, 5])
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
