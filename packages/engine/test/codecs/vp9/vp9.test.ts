import { expect, it } from 'vitest'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { vp9 } from '../../../src/codecs/vp9/index.ts'
import { tellsKeyFrames } from '../../../testing/video/framed-laws.ts'
import { noise, readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

tellsKeyFrames(vp9, 'vp9')

/** Places where a frame seems to start with so much evidence that chance cannot be the reason. */
function starts(bytes: Uint8Array, least: number): number[] {
  const recogniser = recogniserFor(vp9, streamFixture('vp9'), 'raw')
  const reader = readerOf(bytes)
  const unit = new Unit()
  const found: number[] = []
  for (let at = 0; at < bytes.length; at++)
    if (recogniser.recognise(reader, at, bytes.length, unit) && unit.evidence >= least) found.push(at)
  return found
}

it('VP9 frames are known by headers that fill their bytes, and nothing else is', () => {
  const { bytes, packets } = streamFixture('vp9')
  const found = new Set(starts(bytes, 14))
  expect(packets.filter(({ offset }) => !found.has(offset))).toEqual([])
  expect(found.size).toBeLessThanOrEqual(packets.length + 2)
  expect(starts(noise(200_000, 11), 14).length).toBeLessThanOrEqual(4)
})

it('a VP9 frame whose compressed header is altered is none', () => {
  const { bytes, packets } = streamFixture('vp9')
  const { offset, size } = packets[0]
  const frame = bytes.slice(offset, offset + size)
  expect(starts(frame, 14)).toContain(0)
  // the length of the compressed header stands in the last two bytes of the uncompressed one, here at 16
  frame[17] += 9
  expect(starts(frame, 14)).not.toContain(0)
})

it('a VP9 frame is told anew in other bytes and before another end, though its headers were read before', () => {
  const { bytes, packets } = streamFixture('vp9')
  const recogniser = recogniserFor(vp9, streamFixture('vp9'), 'raw')
  const reader = readerOf(bytes)
  const unit = new Unit()
  const { offset, size } = packets[1]
  const told = (end: number): readonly number[] => {
    expect(recogniser.recognise(reader, offset, end, unit)).toBe(true)
    return [unit.length, unit.leastLength, unit.evidence]
  }
  const whole = told(offset + size)
  expect(told(offset + size)).toEqual(whole)
  expect(told(offset + size + 50)).toEqual([size + 50, ...whole.slice(1)])
  // its compressed header does not end before there
  expect(recogniser.recognise(reader, offset, offset + whole[1] - 1, unit)).toBe(false)
  const other = bytes.slice()
  other.fill(0x80, offset + 1, offset + size)
  expect(recogniser.recognise(readerOf(other), offset, offset + size, unit)).toBe(false)
  expect(told(offset + size)).toEqual(whole)
})
