import { expect, it } from 'vitest'
import { codecNamed } from '../../src/codecs/index.ts'
import { trackOf } from '../../testing/video/replay.ts'
import { type StreamFixture, streamFixture } from '../../testing/video/stream-fixture.ts'

const STREAMS = [
  ...[
    'vp8',
    'vp9',
    'vp9-hidden',
    'vp9-adapting',
    'vp9-compound',
    'vp9-lossless',
    'vp9-resilient',
    'vp9-segments',
  ],
  ...['vp9-tiles', 'vp9-10-bit', 'vp9-422', 'vp9-444-10-bit'],
]

/** How the pictures of a stream read, one after another; `hit` changes one of them. */
function readings(stream: StreamFixture, at = -1, hit: (picture: Uint8Array) => void = () => {}) {
  const reader = codecNamed(stream.codec)?.pictureReader?.(trackOf(stream, 'raw'))
  return stream.packets.map(({ offset, size }, i) => {
    const picture = stream.bytes.slice(offset, offset + size)
    if (i === at) hit(picture)
    return reader?.read(picture)
  })
}

it.each(STREAMS)('pictures end where their bytes do: %s', (name) => {
  const stream = streamFixture(name)
  expect(readings(stream)).toEqual(stream.packets.map(() => 'whole'))
})

it.each([
  ['vp8', 5],
  ['vp9-adapting', 6],
])(
  'turned bits are told nearly always, and nothing behind them is read up to the next key picture: %s',
  (name, hit) => {
    const stream = streamFixture(name)
    const { size } = stream.packets[hit]
    const turned = Array.from({ length: 40 }, (_, i) => 8 * (size >> 2) + 11 * i).filter(
      (bit) => bit < 8 * size,
    )
    const told = turned.map((bit) =>
      readings(stream, hit, (picture) => {
        picture[bit >> 3] ^= 0x80 >> (bit & 7)
      }),
    )
    const torn = told.filter((all) => all[hit] === 'torn')
    expect(torn.length / told.length).toBeGreaterThan(0.8)
    const next = stream.packets.findIndex(({ key }, i) => key && i > hit)
    for (const all of torn) expect(new Set(all.slice(hit + 1, next))).toEqual(new Set(['unread']))
    for (const all of torn) expect(new Set(all.slice(next))).toEqual(new Set(['whole']))
  },
)
