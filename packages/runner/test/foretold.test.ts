import { expect, test } from 'vitest'
import { Foretold } from '../src/foretold.ts'

/** Some stretches, of which so many bytes are copied. */
function foretold(
  done: number,
  ...stretches: readonly (readonly [from: number, at: number, length: number])[]
) {
  const told = new Foretold()
  for (const [from, at, length] of stretches) told.add({ from, at, length })
  for (let left = done; left > 0; ) {
    const next = told.next(left)
    if (!next) throw new Error('there is no more to be copied')
    told.copied(next)
    left -= next.length
  }
  return told
}

test('stretches come in their order, in parts, and end', () => {
  const told = foretold(0, [10, 0, 5], [100, 7, 3])
  const taken = []
  for (let next = told.next(4); next; next = told.next(4)) {
    taken.push(next)
    told.copied(next)
  }
  expect(taken).toEqual([
    { from: 10, at: 0, length: 4 },
    { from: 14, at: 4, length: 1 },
    { from: 100, at: 7, length: 3 },
  ])
  told.add({ from: 103, at: 10, length: 2 })
  expect(told.next(4)).toEqual({ from: 103, at: 10, length: 2 })
})

test('no place is named twice', () => {
  const told = foretold(0, [0, 0, 10], [3, 3, 4], [50, 8, 6])
  expect(told.next(100)).toEqual({ from: 0, at: 0, length: 10 })
  told.copied({ from: 0, at: 0, length: 10 })
  expect(told.next(100)).toEqual({ from: 52, at: 10, length: 4 })
})

test('an order finds what is copied of it, at its beginning alone', () => {
  const told = foretold(14, [0, 100, 10], [20, 115, 10])
  expect(told.there({ from: 2, at: 102, length: 5 })).toBe(5)
  expect(told.there({ from: 2, at: 102, length: 50 })).toBe(8)
  expect(told.there({ from: 22, at: 117, length: 8 })).toBe(2)
  expect(told.there({ from: 25, at: 120, length: 5 })).toBe(0)
  expect(told.there({ from: 2, at: 103, length: 5 })).toBeUndefined()
  expect(told.there({ from: 10, at: 110, length: 5 })).toBeUndefined()
  expect(told.there({ from: 0, at: 99, length: 5 })).toBeUndefined()
})

test('what is copied over is there no more', () => {
  const told = foretold(30, [0, 0, 20], [50, 20, 10])
  told.copied({ from: 7, at: 15, length: 7 })
  expect(told.there({ from: 0, at: 0, length: 20 })).toBe(15)
  expect(told.there({ from: 15, at: 15, length: 5 })).toBe(0)
  expect(told.there({ from: 50, at: 20, length: 10 })).toBe(0)
})
