import { expect, test } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { searchPieces } from '../../src/bytes/search-pieces.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { noise } from '../../testing/hostile-sources.ts'

const BYTES = noise(700_001, 3)
const reader = new ByteReader(new MemorySource(BYTES))

test('every place is in one piece, with the bytes behind it as far as there are any', () => {
  for (const [from, end, ahead] of [
    [0, BYTES.length, 0],
    [5, 300_000, 7],
    [699_000, BYTES.length, 11],
  ] as const) {
    let at = from
    for (const piece of searchPieces(reader, from, end, ahead)) {
      expect(piece.at).toBe(at)
      expect(Buffer.compare(piece.bytes, BYTES.subarray(at, at + piece.length + ahead))).toBe(0)
      at += piece.length
    }
    expect(at).toBe(end)
  }
})

test('what is found close by has cost no long copy', () => {
  const [first, second] = searchPieces(reader, 0, BYTES.length, 0)
  expect(first?.bytes.length).toBeLessThanOrEqual(1024)
  expect(second?.bytes.length).toBeLessThanOrEqual(8192)
})
