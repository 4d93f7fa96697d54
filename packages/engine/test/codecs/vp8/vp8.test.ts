import { expect, it } from 'vitest'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { vp8 } from '../../../src/codecs/vp8/index.ts'
import { BitWriter } from '../../../testing/video/bit-writer.ts'
import { tellsKeyFrames } from '../../../testing/video/framed-laws.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

tellsKeyFrames(vp8, 'vp8')

it('VP8 frames are at least as long as their partitions', () => {
  const { bytes, packets } = streamFixture('vp8')
  const recogniser = recogniserFor(vp8, streamFixture('vp8'), 'raw')
  const unit = new Unit()
  for (const { offset, size } of packets) {
    expect(recogniser.recognise(readerOf(bytes), offset, offset + size, unit)).toBe(true)
    expect(unit.leastLength).toBeGreaterThan(3)
    expect(unit.leastLength).toBeLessThanOrEqual(size)
    const { leastLength } = unit
    expect(recogniser.recognise(readerOf(bytes), offset, offset + leastLength - 1, unit)).toBe(false)
  }
})

it('the sizes of further VP8 partitions must fit', () => {
  const recogniser = recogniserFor(vp8, streamFixture('vp8'), 'raw')
  const unit = new Unit()
  // an inter frame with a first partition of 6 bytes whose header announces four partitions, then their three sizes
  const fields = new BitWriter().u(1, 0).u(1, 0).u(6, 10).u(3, 0).u(1, 0).u(2, 2).u(32, 0)
  const first = boolCoded(fields.bytes(), 46)
  const tag = 1 | (1 << 4) | (first.length << 5)
  const head = [tag & 255, (tag >> 8) & 255, tag >> 16, ...first]
  const sizes = [5, 0, 0, 6, 0, 0, 7, 0, 0]
  const frame = Uint8Array.of(...head, ...sizes, ...new Uint8Array(40))
  expect(recogniser.recognise(readerOf(frame), 0, frame.length, unit)).toBe(true)
  expect(unit.leastLength).toBe(head.length + 9 + 18)
  expect(recogniser.recognise(readerOf(frame), 0, head.length + 9 + 17, unit)).toBe(false)
})

/** Bits of even probability in the boolean coder, RFC 6386 §7.3. */
function boolCoded(bits: Uint8Array, count: number): Uint8Array {
  let low = 0n
  let range = 255n
  let taken = 0n
  for (let i = 0; i < count; i++) {
    const split = 1n + ((range - 1n) * 128n) / 256n
    if ((bits[i >> 3] >> (7 - (i & 7))) & 1) {
      low += split
      range -= split
    } else range = split
    while (range < 128n) {
      range *= 2n
      low *= 2n
      taken++
    }
  }
  const total = Number((taken + 8n + 7n) / 8n)
  const value = low << (BigInt(total) * 8n - taken - 8n)
  return Uint8Array.from({ length: total }, (_, i) => Number((value >> BigInt(8 * (total - 1 - i))) & 255n))
}
