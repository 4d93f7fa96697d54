import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader } from '../../../src/codecs/vp9/frame-reader.ts'
import { PictureReader } from '../../../src/codecs/vp9/picture-reader.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { noise } from '../../../testing/video/replay.ts'
import { type StreamFixture, streamFixture } from '../../../testing/video/stream-fixture.ts'

// `vp9-compound`, which its recipe cannot make, is of two passes, frames in three layers with alternate references among them:
// libvpx-vp9 -auto-alt-ref 6 -lag-in-frames 16 -cpu-used 1 -frame-parallel 0
const STREAMS = [
  ...['vp9', 'vp9-hidden', 'vp9-adapting', 'vp9-tiles', 'vp9-resilient', 'vp9-lossless', 'vp9-segments'],
  ...['vp9-10-bit', 'vp9-422', 'vp9-444-10-bit', 'vp9-compound'],
]
/** Bits that an encoder's flush leaves behind the last symbol, at least. */
const LEAST_EVIDENCE = 9

const plenty = (): Allowance => new Allowance(Number.POSITIVE_INFINITY)

/** The stream's packets, each with other bytes behind it. */
function followed({ bytes, packets }: StreamFixture): { bytes: Uint8Array; size: number; key: boolean }[] {
  return packets.map(({ offset, size, key }, i) => ({
    bytes: Uint8Array.of(...bytes.subarray(offset, offset + size), ...noise(3000, i)),
    size,
    key,
  }))
}

describe.each(STREAMS)('%s', (name) => {
  const fixture = streamFixture(name)
  const { width, height } = fixture
  const packets = followed(fixture)

  it('ends exactly where each of its pictures does, whatever follows', () => {
    const pictures = new PictureReader(width, height, plenty())
    const seen = packets.map(({ bytes }) => {
      const picture = pictures.read(bytes, 0, bytes.length)
      pictures.accept()
      return picture
    })
    expect(seen.map((picture) => picture?.end)).toEqual(packets.map(({ size }) => size))
    // a picture of one byte shows one decoded before, and nothing else
    const read = seen.filter((_, i) => packets[i].size > 1)
    expect(Math.min(...read.map((picture) => picture?.evidence ?? 0))).toBeGreaterThanOrEqual(LEAST_EVIDENCE)
  })

  it('shows by its end that a picture was hit', () => {
    const pictures = new PictureReader(width, height, plenty())
    let hit = 0
    let found = 0
    for (const [i, { bytes, size }] of packets.entries()) {
      for (let from = 40; from + 12 < size; from += Math.ceil(size / 5)) {
        const damaged = bytes.slice()
        damaged.set(noise(6, from + i), from)
        if (damaged.every((byte, at) => byte === bytes[at])) continue
        hit++
        if (pictures.read(damaged, 0, damaged.length)?.end === size) found++
      }
      pictures.read(bytes, 0, bytes.length)
      pictures.accept()
    }
    expect(hit).toBeGreaterThan(8)
    expect(found).toBeLessThanOrEqual(hit / 50)
  })

  it('does not end in zeros that took the place of its bytes', () => {
    const pictures = new PictureReader(width, height, plenty())
    for (const { bytes, size } of packets) {
      if (size > 200) {
        const damaged = Uint8Array.of(...bytes.subarray(0, size >> 1), ...new Uint8Array(3000))
        expect(pictures.read(damaged, 0, damaged.length)).toBeUndefined()
      }
      pictures.read(bytes, 0, bytes.length)
      pictures.accept()
    }
  })

  it('a picture read in vain leaves nothing behind', () => {
    const pictures = new PictureReader(width, height, plenty())
    const copies = new PictureReader(width, height, plenty())
    for (const { bytes, size } of packets) {
      const copy = new PictureReader(width, height, plenty())
      copy.copy(pictures)
      expect(copy.read(bytes, 0, bytes.length)?.end).toBe(size)
      pictures.read(bytes, 0, size >> 1)
      pictures.read(packets[0].bytes, 0, packets[0].bytes.length)
      copies.copy(pictures)
      expect(copies.read(bytes, 0, bytes.length)?.end).toBe(size)
      expect(pictures.read(bytes, 0, bytes.length)?.end).toBe(size)
      pictures.accept()
    }
  })
})

it('pictures behind one that was left out are not read as if nothing was', () => {
  const fixture = streamFixture('vp9-adapting')
  const frames = new FrameReader(plenty())
  const packets = followed(fixture)
  const ends = packets
    .filter((_, i) => i !== 3)
    .slice(0, 8)
    .map(({ bytes }) => {
      const frame = frames.read(bytes, 0, bytes.length, fixture.width, fixture.height)
      frames.accept()
      return frame && frame.evidence > 0 ? frame.end : 0
    })
  expect(ends.slice(0, 3)).toEqual(packets.slice(0, 3).map(({ size }) => size))
  expect(ends.slice(3)).not.toEqual(packets.slice(4, 9).map(({ size }) => size))
})

it('any bytes behind a header are read within their bounds', () => {
  const { bytes, packets, width, height } = streamFixture('vp9-tiles')
  const frames = new FrameReader(plenty())
  let whole = 0
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat({ max: 60 }), (random, from) => {
      const frame = bytes.slice(packets[0].offset, packets[0].offset + packets[0].size)
      frame.set(random.subarray(0, frame.length - from), from)
      const read = frames.read(frame, 0, frame.length, width, height)
      frames.accept()
      if (read) expect(read.end).toBeGreaterThanOrEqual(read.least)
      whole += read ? 1 : 0
    }),
    { numRuns: 300 },
  )
  expect(whole).toBeGreaterThan(0)
})
