import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { remains } from '../../../src/recording/judge/hole-remains.ts'

/** Stretches of bytes and of zeros in turns, bytes first. */
function bytesOf(...lengths: readonly number[]): Uint8Array {
  return Uint8Array.from(lengths.flatMap((length, i) => Array<number>(length).fill(i % 2 === 0 ? 7 : 0)))
}

function remainsOf(bytes: Uint8Array, offset = 0, length = bytes.length, depth = 1e6) {
  return remains(new ByteReader(new MemorySource(bytes)), { offset, length }, depth)
}

it('of a hole are its bytes in front of the first 512 zeros and behind the last', () => {
  expect(remainsOf(bytesOf(40, 512, 30))).toEqual({ front: 40, middle: 0, back: 30 })
  expect(remainsOf(bytesOf(40, 511, 30))).toEqual({ front: 581, middle: 0, back: 0 })
  expect(remainsOf(bytesOf(40, 600, 5, 600, 0))).toMatchObject({ front: 40, back: 0 })
})

it('between two stretches of zeros are counted', () => {
  const { front, middle, back } = remainsOf(bytesOf(8192, 8192, 65_536, 8192, 100))
  expect([front, back]).toEqual([8192, 100])
  expect(Math.abs(middle - 65_536)).toBeLessThan(8192)
})

it('are looked for so deep only', () => {
  expect(remainsOf(bytesOf(1000, 512, 1000), 0, 2512, 999)).toEqual({ front: 2512, middle: 0, back: 0 })
  expect(remainsOf(bytesOf(1000, 512, 1000), 0, 2512, 1000)).toEqual({ front: 1000, middle: 0, back: 1000 })
})

it('never come to more than the hole, wherever it lies', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: 3000 }), (parts, depth) => {
      const hole = bytesOf(...parts)
      const file = Uint8Array.from([...bytesOf(3, 700), ...hole, ...bytesOf(0, 700, 3)])
      const { front, middle, back } = remainsOf(file, 703, hole.length, depth)
      expect(front + middle + back).toBeLessThanOrEqual(hole.length)
      if (front < hole.length) expect(hole.subarray(front, front + 512).some(Boolean)).toBe(false)
    }),
    { numRuns: 50 },
  )
})
