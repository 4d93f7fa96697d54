import { randomFrom } from '@mendframe/engine/testing'
import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { stuffedStarts } from '../../../../src/formats/isobmff/mend/chunks/stuffed-starts.ts'
import { Lane } from '../../../../src/formats/isobmff/mend/chunks/track-chunks.ts'
import { Allowance } from '../../../../src/model/allowance.ts'

const UNBOUNDED = Number.POSITIVE_INFINITY

/** A track of chunks of one sample of `size` bytes each. */
function laneAt(offsets: Float64Array, size: number): Lane {
  const map = {
    length: 1,
    firstChunk: Uint32Array.of(1),
    samples: Uint32Array.of(1),
    description: Uint32Array.of(1),
  }
  const sizes = { constant: size, count: offsets.length, sizes: new Uint32Array(0) }
  return new Lane(offsets, map, sizes, { bytes: size, samples: 1 }, new Allowance(UNBOUNDED))
}

describe('zeros between chunks', () => {
  it('are told from bytes', () => {
    const bytes = new Uint8Array(400)
    bytes[250] = 1
    const offsets = Float64Array.of(0, 100, 200, 300)
    const found = stuffedStarts(
      new ByteReader(new MemorySource(bytes)),
      [laneAt(offsets, 40)],
      offsets,
      new Allowance(UNBOUNDED),
    )
    expect([...found]).toEqual([100, 200])
  })

  it('are not looked for all over a file whose chunks lie in no order', () => {
    const size = 2 ** 30
    const random = randomFrom(3)
    const offsets = Float64Array.from({ length: 50_000 }, () => Math.floor(random() * size))
    let looks = 0
    const zeros = {
      size,
      read: (_offset: number, target: Uint8Array) => {
        target.fill(0)
        looks++
        return target.length
      },
    }
    stuffedStarts(
      new ByteReader(zeros),
      [laneAt(offsets, 1)],
      offsets.slice().sort(),
      new Allowance(UNBOUNDED),
    )
    expect(looks).toBeLessThan(100)
  })
})
