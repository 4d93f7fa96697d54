import { expect, it } from 'vitest'
import { h264 } from '../../../src/codecs/h264/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { displayed, readerOf, recogniserFor, replay } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('h264-open-gop')
const { bytes, packets } = fixture

it('tells recovery points from IDR pictures; a muxer marks both', () => {
  const recogniser = recogniserFor(h264, fixture, 'length')
  const reader = readerOf(bytes)
  const unit = new Unit()
  const marks = packets.map(({ offset }) => {
    recogniser.recognise(reader, offset, bytes.length, unit)
    return { key: unit.key, recovery: unit.recovery }
  })
  expect(marks.map(({ key, recovery }) => key || recovery)).toEqual(packets.map(({ key }) => key))
  expect(marks.filter(({ key }) => key)).toHaveLength(1)
})

it('orders pictures across open groups', () => {
  const seen = replay(recogniserFor(h264, fixture, 'length'), bytes)
  expect(seen.map(({ length }) => length)).toEqual(packets.map(({ size }) => size))
  const times = displayed(seen).map((index) => packets[index].pts)
  expect(times).toEqual([...times].sort((a, b) => a - b))
})
