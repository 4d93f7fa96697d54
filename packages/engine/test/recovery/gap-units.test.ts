import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { knownGap } from '../../src/recovery/carving/gap.ts'
import type { Lane } from '../../src/recovery/carving/lane.ts'
import { learn } from '../../src/recovery/learning/learn.ts'
import { lane } from './lanes.ts'

const MARK = Uint8Array.of(1, 0x36, 0x35, 0x10)

/** Units of a track of data, each of so many bytes and beginning with the mark. */
function units(sizes: readonly number[]): Uint8Array {
  return new Uint8Array(sizes.flatMap((size) => [...MARK, ...new Uint8Array(size - MARK.length).fill(7)]))
}

/** A track of data whose units join. */
function data(sizes: readonly number[]): Lane {
  const plain = lane(0, 'video', 1000)
  const found = { ...plain, group: -1, recogniser: undefined }
  let offset = 0
  for (const size of sizes) {
    found.table.push(offset, size, 1, 33, 0, 0)
    offset += size
  }
  return found
}

function found(sample: readonly number[], bytes: Uint8Array): number[] {
  const taught = data(sample)
  const reader = new ByteReader(new MemorySource(units(sample)))
  const interleave = learn(reader, [taught], [false])
  const damaged = new ByteReader(new MemorySource(bytes))
  const pieces = knownGap(damaged, [data([])], interleave, 0, bytes.length, () => true)
  return (pieces ?? []).map(({ length }) => length)
}

describe('units of a track without syntax that lie where the sample has as many bytes', () => {
  it('are as long as those of the sample', () => {
    expect(found([131, 125, 131], units([131, 125, 131]))).toEqual([131, 125, 131])
  })

  it('are cut at their marks where they are not', () => {
    expect(found([131, 125, 131], units([125, 131, 131]))).toEqual([125, 131, 131])
  })

  it('are one where the sample has one', () => {
    expect(found([131], units([131]))).toEqual([131])
  })
})
