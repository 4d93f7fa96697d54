import { expect, it } from 'vitest'
import { mergedOrder } from '../../src/bytes/merged-order.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'

it.each([
  ['in order', 9, (i: number) => i],
  ['all the other way round', 100, (i: number) => -i],
  ['of three rows in each other', 300, (i: number) => i % 100],
  ['by lot', 1_000, () => 0],
  ['none', 0, () => 0],
])('numbers %s are put in order', (_, count, place) => {
  const random = randomFrom(4)
  const places = Array.from({ length: count }, (_, i) => place(i) || random())
  const compare = (a: number, b: number): number => places[a] - places[b] || a - b
  expect([...mergedOrder(count, compare)]).toEqual(Array.from({ length: count }, (_, i) => i).sort(compare))
})
