import { expect, it } from 'vitest'
import { mpeg2video } from '../../../src/codecs/mpeg12/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('mpeg2-b')
const { offset, size } = fixture.packets[0]
const frame = fixture.bytes.subarray(offset, offset + size)
/** The first start code behind the sequence header. */
const behind = frame.findIndex(
  (_, at) => at > 3 && frame[at] === 0 && frame[at + 1] === 0 && frame[at + 2] === 1,
)
const header = frame.subarray(0, behind)
const USER_DATA = Uint8Array.of(0, 0, 1, 0xb2, 7)

function isFrame(...parts: readonly Uint8Array[]): boolean {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]))
  const recogniser = recogniserFor(mpeg2video, fixture, 'raw')
  return recogniser.recognise(readerOf(bytes), 0, bytes.length, new Unit())
}

it('a frame has one sequence header: those in a row are not followed', () => {
  expect(header[3]).toBe(0xb3)
  expect(isFrame(frame)).toBe(true)
  expect(isFrame(header, frame)).toBe(false)
})

it('a frame has some user data, not thousands of them', () => {
  const data = (count: number): Uint8Array[] => Array.from({ length: count }, () => USER_DATA)
  expect(isFrame(header, ...data(8), frame.subarray(behind))).toBe(true)
  expect(isFrame(header, ...data(1000), frame.subarray(behind))).toBe(false)
})
