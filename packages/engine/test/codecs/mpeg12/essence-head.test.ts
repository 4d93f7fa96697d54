import { expect, it } from 'vitest'
import { mpeg2video } from '../../../src/codecs/mpeg12/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { selfDescribing } from '../../../src/recording/deduce/self-describing.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const KEY = [0x06, 0x0e, 0x2b, 0x34, 1, 2, 1, 1, 0x0d, 1, 3, 1, 5, 1, 1, 0]
const HEAD = [...KEY, 0x83, 1, 2, 3]
const FILL = [
  0x06,
  0x0e,
  0x2b,
  0x34,
  1,
  1,
  1,
  1,
  3,
  1,
  2,
  0x10,
  1,
  0,
  0,
  0,
  0x83,
  0,
  0,
  90,
  ...Array(90).fill(0),
]

/** Frames each behind the key and length of an essence element and in front of a fill item, and where they begin. */
function keyed(): { bytes: Uint8Array; starts: number[]; sizes: number[] } {
  const { bytes, packets } = streamFixture('mpeg2-422')
  const parts: number[] = []
  const starts: number[] = []
  for (const { offset, size } of packets) {
    starts.push(parts.length)
    for (const byte of HEAD) parts.push(byte)
    for (const byte of bytes.subarray(offset, offset + size)) parts.push(byte)
    for (const byte of FILL) parts.push(byte)
  }
  const sizes = packets.map(({ size }) => HEAD.length + size + FILL.length)
  return { bytes: Uint8Array.from(parts), starts, sizes }
}

it("frames of IMX begin with their essence element's key and end with a fill item", () => {
  const { bytes, starts, sizes } = keyed()
  const recogniser = recogniserFor(mpeg2video, streamFixture('mpeg2-422'), 'raw')
  const reader = readerOf(bytes)
  const unit = new Unit()
  let at = 0
  for (const [place, start] of starts.entries()) {
    at = recogniser.search(reader, at, bytes.length)
    expect(at).toBe(start)
    expect(recogniser.recognise(reader, at, bytes.length, unit)).toBe(true)
    expect(unit.length).toBe(sizes[place])
    recogniser.accept(reader, at, unit)
    at += unit.length
  }
})

it('they are told apart from plain MPEG-2 by their name in QuickTime', () => {
  const { bytes } = keyed()
  const whole = [{ offset: 0, length: bytes.length }]
  expect(selfDescribing(readerOf(bytes), whole, 'mpeg2video')[0]?.track.coding?.variant).toMatch(/^mx[345]n$/)
  const plain = streamFixture('mpeg2-422').bytes
  const all = [{ offset: 0, length: plain.length }]
  expect(selfDescribing(readerOf(plain), all, 'mpeg2video')[0]?.track.coding?.variant).toBeUndefined()
})

it('a key of another element is no head', () => {
  const { bytes, starts } = keyed()
  const recogniser = recogniserFor(mpeg2video, streamFixture('mpeg2-422'), 'raw')
  bytes[(starts[1] ?? 0) + 12] = 6
  const at = recogniser.search(readerOf(bytes), starts[1] ?? 0, bytes.length)
  expect(at).toBe((starts[1] ?? 0) + HEAD.length)
})
