import { expect, test } from 'vitest'
import { lookedAt } from '../../src/formats/looked-at.ts'

test('a file no longer than what is looked at is looked at once', () => {
  expect(lookedAt(100, 100, ['head', 'tail', 'middle'])).toEqual([{ place: 'head', from: 0 }])
})

test('places lie around their share of a file, within it, in the order asked for', () => {
  expect(lookedAt(1000, 100, ['head', 'middle', 'quarter', 'tail'])).toEqual([
    { place: 'head', from: 0 },
    { place: 'middle', from: 450 },
    { place: 'quarter', from: 200 },
    { place: 'tail', from: 900 },
  ])
  expect(lookedAt(110, 100, ['middle', 'quarter'])).toEqual([
    { place: 'middle', from: 5 },
    { place: 'quarter', from: 0 },
  ])
})
