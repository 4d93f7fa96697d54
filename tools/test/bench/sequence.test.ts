import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timedPairs } from '../../src/bench/pairs.ts'
import { findBlocks, PCM_BLOCK } from '../../src/bench/pcm.ts'
import { commonSubsequence } from '../../src/bench/sequence.ts'
import { randomFrom } from '../../src/media/random.ts'

describe('commonSubsequence', () => {
  it('agrees in length with the textbook table on short rows', () => {
    const row = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 24 })
    fc.assert(
      fc.property(row, row, (left, right) => {
        const pairs = commonSubsequence(left, right)
        expect(pairs.every((pair) => left[pair.left] === right[pair.right])).toBe(true)
        expect(pairs.every((pair, index) => index === 0 || pair.left > (pairs[index - 1]?.left ?? 0))).toBe(
          true,
        )
        expect(pairs.every((pair, index) => index === 0 || pair.right > (pairs[index - 1]?.right ?? 0))).toBe(
          true,
        )
        expect(pairs.length).toBe(textbookLength(left, right))
      }),
    )
  })

  it('takes a long row of one repeated item in bounded time', () => {
    const still = Array.from({ length: 20_000 }, () => 'same')
    expect(commonSubsequence(still, still)).toHaveLength(20_000)
  })
})

function textbookLength(left: readonly string[], right: readonly string[]): number {
  let row = Array.from({ length: right.length + 1 }, () => 0)
  for (const item of left) {
    const next = [0]
    for (const [index, other] of right.entries()) {
      next.push(item === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

describe('findBlocks', () => {
  const random = randomFrom(9)
  const original = Buffer.from(Array.from({ length: 40 * PCM_BLOCK }, () => Math.floor(random() * 256)))

  it('finds every block of an untouched copy', () => {
    expect(findBlocks(original, original).map(({ left, right }) => right - left)).toEqual(
      Array.from({ length: 40 }, () => 0),
    )
  })

  it('finds what follows a hole of any length at its new place', () => {
    const holed = Buffer.concat([original.subarray(0, 1_000), original.subarray(3_333)])
    const found = findBlocks(original, holed)
    expect(found.filter(({ left, right }) => left === right)).toHaveLength(3)
    expect(found.filter(({ left, right }) => left === right + 2_333)).toHaveLength(26)
    expect(found).toHaveLength(29)
  })

  it('finds nothing in other bytes', () => {
    const other = Buffer.from(Array.from({ length: 4_000 }, () => Math.floor(random() * 256)))
    expect(findBlocks(original, other)).toEqual([])
  })
})

describe('timedPairs', () => {
  const track = (hashes: string, start = 0): { md5: string; pts: number }[] =>
    [...hashes].map((md5, index) => ({ md5, pts: start + index * 0.02 }))

  it('pairs silence with the silence of the same time, not with what was cut off', () => {
    const whole = track('abssssssssssssssssss')
    const wanted = new Set([0, 1, 2, 3, 4, 5])
    const pairs = timedPairs(whole, whole.slice(0, 6), wanted)
    expect(pairs).toEqual([0, 1, 2, 3, 4, 5].map((place) => ({ left: place, right: place })))
  })

  it('follows a constant offset that units which occur once tell', () => {
    const pairs = timedPairs(track('ssssassssb'), track('ssassssb', 1))
    expect(pairs.map(({ left, right }) => left - right)).toEqual([2, 2, 2, 2, 2, 2, 2, 2])
  })

  it('finds what a wrong clock moved', () => {
    const late = [...track('abc'), ...track('def', 5)]
    expect(timedPairs(track('abcdef'), late)).toHaveLength(6)
  })
})
