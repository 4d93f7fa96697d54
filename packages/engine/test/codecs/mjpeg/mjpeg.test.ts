import { describe, expect, it } from 'vitest'
import { mjpeg } from '../../../src/codecs/mjpeg/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { survivesHostileBytes } from '../../../testing/video/hostile-laws.ts'
import { interleave, noise, readerOf, recogniserFor, replay } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { obeysStreamLaws } from '../../../testing/video/stream-laws.ts'

obeysStreamLaws(mjpeg, 'mjpeg', 'raw')
survivesHostileBytes(mjpeg, ['mjpeg'], 'raw')

describe('Motion JPEG', () => {
  const fixture = streamFixture('mjpeg')
  const pictures = fixture.packets.map(({ offset, size }) => fixture.bytes.subarray(offset, offset + size))

  it('keeps the filler that a camera puts behind its pictures', () => {
    const padded = pictures.map((picture) => {
      const filled = new Uint8Array(Math.ceil((picture.length + 1) / 16) * 16).fill(0xff)
      filled.set(picture)
      return filled
    })
    const recogniser = recogniserFor(mjpeg, fixture, 'raw')
    for (const picture of padded) recogniser.learn?.(readerOf(picture), 0, picture.length)
    const seen = replay(recogniser, concat(padded))
    expect(seen.map(({ length }) => length)).toEqual(padded.map(({ length }) => length))
  })

  it('takes both fields of an interlaced frame for one unit where the sample does', () => {
    const frames = [0, 2, 4].map((index) => concat([pictures[index], pictures[index + 1]]))
    const recogniser = recogniserFor(mjpeg, fixture, 'raw')
    for (const frame of frames) recogniser.learn?.(readerOf(frame), 0, frame.length)
    const seen = replay(recogniser, concat(frames))
    expect(seen.map(({ length }) => length)).toEqual(frames.map(({ length }) => length))
  })

  it('passes over foreign bytes inside a scan and says that the picture is damaged', () => {
    const { bytes, starts } = interleave(fixture, () => noise(30))
    const foreign = noise(200, 9).map((byte) => (byte === 0xd9 || byte === 0xd8 ? 0 : byte))
    bytes.set(foreign, starts[1] + 700)
    const unit = new Unit()
    expect(
      recogniserFor(mjpeg, fixture, 'raw').recognise(readerOf(bytes), starts[1], bytes.length, unit),
    ).toBe(true)
    expect(unit.length).toBe(fixture.packets[1].size)
  })
})
