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
