import { expect, it } from 'vitest'
import { codecNamed } from '../../../src/codecs/index.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const { bytes, packets } = streamFixture('av1')
const KEYS = packets.flatMap(({ key }, at) => (key ? [at] : []))

/** Whether each picture of the stream is intact, where bytes in the middle of one were overwritten. */
function intact(hit?: number): boolean[] {
  const damaged = Uint8Array.from(bytes)
  if (hit !== undefined) {
    const { offset, size } = packets[hit]
    damaged.fill(0xa5, offset + (size >> 1), offset + (size >> 1) + 8)
  }
  const recogniser = codecNamed('av1')?.recogniser(trackOf(streamFixture('av1'), 'raw'))
  return packets.map(({ offset, size }) => recogniser?.intact?.(readerOf(damaged), offset, size) ?? false)
}

it('pictures of an AV1 stream are intact', () => {
  expect(KEYS.length).toBeGreaterThan(1)
  expect(intact()).toEqual(packets.map(() => true))
})

it('an AV1 key picture in which bytes were hit is not, nor are those that build on it', () => {
  const [first, second] = KEYS
  expect(intact(first)).toEqual(packets.map((_, at) => at < first || at >= second))
})
