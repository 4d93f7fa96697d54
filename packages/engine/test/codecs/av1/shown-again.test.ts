import { expect, it } from 'vitest'
import { codecNamed } from '../../../src/codecs/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('av1')

/** Bits that a unit of these bytes shows, -1 for no unit. */
function evidence(...bytes: readonly number[]): number {
  const recogniser = codecNamed('av1')?.recogniser(trackOf(fixture, 'raw'))
  for (const { offset, size } of fixture.packets) recogniser?.learn?.(readerOf(fixture.bytes), offset, size)
  const unit = new Unit()
  const found = recogniser?.recognise(readerOf(Uint8Array.from(bytes)), 0, bytes.length, unit) ?? false
  return found ? unit.evidence : -1
}

// obu_type 3 with a size of one byte: show_existing_frame, frame_to_show_map_idx 5, trailing bits
const HEADER = [0x1a, 1]

it('a header that shows an existing frame is told by its size and its trailing bits as well', () => {
  expect(evidence(...HEADER, 0b1101_1000)).toBeGreaterThan(10)
})

it('a header that shows an existing frame ends with trailing bits', () => {
  expect(evidence(...HEADER, 0b1101_0000)).toBe(-1)
  expect(evidence(...HEADER, 0b1101_1100)).toBe(-1)
})
