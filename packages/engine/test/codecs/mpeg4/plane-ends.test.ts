import { expect, it } from 'vitest'
import { mpeg4 } from '../../../src/codecs/mpeg4/index.ts'
import { recogniserFor, replay } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

/**
 * Bytes that, behind a zero bit, are those of a macroblock of stuffing in intra planes and in others; sound often begins like the
 * first.
 */
const FOLLOWERS = [
  ['0x01', Uint8Array.of(0x01, 0x42, 0x36, 0x28, 0xc4)],
  ['0x0080', Uint8Array.of(0x00, 0x80, 0x36, 0x28, 0xc4)],
] as const

it.each(FOLLOWERS)('planes end where they do though %s follows', (_name, follower) => {
  for (const name of ['mpeg4-simple', 'mpeg4-b', 'mpeg4-matrix', 'mpeg4-qpel-4mv', 'mpeg4-interlaced']) {
    const fixture = streamFixture(name)
    const { bytes, packets } = fixture
    const parts = packets.flatMap(({ offset, size }) => [bytes.subarray(offset, offset + size), follower])
    const starts = packets.map(({ offset }, i) => offset + i * follower.length)
    const seen = replay(recogniserFor(mpeg4, fixture, 'raw'), new Uint8Array(Buffer.concat(parts)), starts)
    expect(
      seen.map(({ length }) => length),
      name,
    ).toEqual(packets.map(({ size }) => size))
  }
})
