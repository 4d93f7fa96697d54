import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { LearnedSignature } from '../../../src/recording/align/learned-signature.ts'
import { noise } from '../../../testing/index.ts'

const TRACK: TrackDescription = {
  ...{ id: 1, kind: 'video', codec: 'unknown', timescale: 25, config: new Uint8Array(0), framing: 'raw' },
}
const SIZE = 64

/** Samples of noise behind a head of their own, every tenth a key; the last one ends within its head. */
function recording(keyHead: readonly number[], head: readonly number[]) {
  const count = 40
  const bytes = noise(count * SIZE, 5)
  const table = new SampleTable(count)
  for (let i = 0; i < count; i++) {
    const key = i % 10 === 0
    bytes.set(key ? keyHead : head, i * SIZE)
    table.push(i * SIZE, i === count - 1 ? 2 : SIZE, 1, 1, i, key ? SAMPLE_KEY : 0)
  }
  return { reader: new ByteReader(new MemorySource(bytes)), table }
}

it('key samples may begin otherwise than the others, and short ones are compared as far as they reach', () => {
  const { reader, table } = recording([0x82, 0x49, 0x83, 0x42], [0x86, 0x11, 0x40])
  const signature = new LearnedSignature(reader, TRACK, table, [16])
  const fitting = Array.from({ length: table.length }, (_, row) =>
    signature.matches(reader, table.offset[row], table.size[row]),
  )
  expect(fitting).not.toContain(false)
  expect(signature.matches(reader, 8, SIZE)).toBe(false)
  expect(signature.search(reader, 1, table.length * SIZE)).toBe(SIZE)
})

it('samples that agree in nothing have no signature', () => {
  const { reader, table } = recording([], [])
  expect(new LearnedSignature(reader, TRACK, table, [16]).bits).toBe(0)
})

it('what some samples begin with is not what all begin with, however much that is', () => {
  const count = 40
  const bytes = noise(count * SIZE, 7)
  const table = new SampleTable(count)
  for (let i = 0; i < count; i++) {
    // the first quarter of another camera's: all begin with the same two bytes, those of the quarter with eight
    bytes.set(i < 10 ? [0x20, 0x21, 1, 2, 3, 4, 5, 6] : [0x20, 0x21], i * SIZE)
    table.push(i * SIZE, SIZE, 1, 1, i, 0)
  }
  const reader = new ByteReader(new MemorySource(bytes))
  const signature = new LearnedSignature(reader, TRACK, table, [16])
  for (let row = 0; row < count; row++) expect(signature.matches(reader, row * SIZE, SIZE)).toBe(true)
})

it('samples of which bytes are missing in front begin as they did, where they lie now', () => {
  const count = 40
  const gone = 48
  const whole = noise(count * SIZE, 7)
  const table = new SampleTable(count)
  for (let i = 0; i < count; i++) {
    whole.set([0x20, 0x21, 1, 2, 3, 4, 5, 6], i * SIZE)
    table.push(i * SIZE, SIZE, 1, 1, i, 0)
  }
  const cut = 15 * SIZE + 10
  const bytes = Uint8Array.from([...whole.subarray(0, cut), ...whole.subarray(cut + gone)])
  const reader = new ByteReader(new MemorySource(bytes))
  const signature = new LearnedSignature(reader, TRACK, table, [-gone])
  expect(signature.telling).toBe(true)
  expect(signature.matches(reader, 20 * SIZE - gone, SIZE)).toBe(true)
  expect(signature.matches(reader, 20 * SIZE, SIZE)).toBe(false)
})

it('samples behind one that was overwritten with zeros still tell what all begin with, although neighbours share more', () => {
  const count = 25
  const bytes = noise(count * SIZE, 9)
  const table = new SampleTable(count)
  for (let i = 0; i < count; i++) {
    // a size of which neighbours share the upper byte, and a name
    bytes.set([0, i < 12 ? 7 : 8, i * 9, 0x6a, 0x70, 0x32, 0x63, 0xff, 0x4f, 0xff, 0x51, 0x12], i * SIZE)
    table.push(i * SIZE, SIZE, 1, 1, i, SAMPLE_KEY)
  }
  bytes.fill(0, 0, 40)
  const reader = new ByteReader(new MemorySource(bytes))
  const signature = new LearnedSignature(reader, TRACK, table, [])
  const fits = Array.from({ length: count }, (_, row) => signature.matches(reader, row * SIZE, SIZE))
  expect(fits).toEqual(fits.map((_, row) => row > 0))
})
