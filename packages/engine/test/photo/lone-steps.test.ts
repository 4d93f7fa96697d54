import { expect, it } from 'vitest'
import type { ColouredSection } from '../../src/photo/levels/colour.ts'
import { fromLoneStep } from '../../src/photo/levels/lone-steps.ts'

const WIDE = 40
/** A level of the first component, and of the second one, is four units of DC and two. */
const QUANTISATION = [2, 4]

/** Sections from places on, each with what is added to DC of two components. */
function sectionsAt(
  ...parts: readonly (readonly [first: number, a: number, b: number])[]
): ColouredSection[] {
  return parts.map(([first, ...dc], index) => ({
    ...{ first, place: first, count: (parts[index + 1]?.[0] ?? 1_000) - first, known: index === 0 },
    dc: Int32Array.from(dc),
  }))
}

const bounds = (sections: readonly ColouredSection[]) =>
  fromLoneStep(sections, WIDE, QUANTISATION).map(({ first, count, known }) => [first, count, known])

it('a stretch of known DC whose steps are slight and less than a row apart is not cut', () => {
  expect(bounds(sectionsAt([0, 0, 0], [100, 0, -2], [110, 0, 0], [200, 2, 0], [230, 4, 0]))).toEqual([
    [0, 1_000, true],
  ])
})

it('a stretch of known DC is not cut where nothing changed', () => {
  expect(bounds(sectionsAt([0, 0, 0], [100, 0, 0], [300, 0, 0]))).toEqual([[0, 1_000, true]])
})

it('a slight step that no other of its component is near cuts a stretch, and so do all behind it', () => {
  expect(bounds(sectionsAt([0, 0, 0], [100, 0, 0], [300, 4, 0], [310, 4, 2], [500, 4, 2]))).toEqual([
    [0, 300, true],
    [300, 10, false],
    [310, 190, false],
    [500, 500, false],
  ])
})

it('a large step cuts a stretch though slight ones are near it', () => {
  expect(bounds(sectionsAt([0, 0, 0], [280, 1, 0], [300, 90, 0], [310, 91, 0]))).toEqual([
    [0, 300, true],
    [300, 10, false],
    [310, 690, false],
  ])
})
