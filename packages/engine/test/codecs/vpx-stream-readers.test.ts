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
  ['vp8', 'by what headers say', 5],
  ['vp9-resilient', 'by what headers say', 6],
  ['vp9-adapting', 'from the next key picture on', 6],
])('turned bits are told nearly always, and pictures behind them are not: %s, read %s', (name, how, hit) => {
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
  const behind = torn.flatMap((all) => all.slice(hit + 1, next))
  expect(behind).not.toContain('torn')
  const whole = behind.filter((reading) => reading === 'whole').length
  if (how === 'by what headers say') expect(whole).toBeGreaterThan(behind.length / 2)
  else expect(whole).toBe(0)
  for (const all of torn) expect(new Set(all.slice(next))).toEqual(new Set(['whole']))
})

/**
 * A key frame of 8 by 512 samples in two tiles, one below the other, whose symbols are all zero, and so are the bytes that they
 * take.
 */
function zeroSymbols(firstTile: number, secondTile: number, isShown = true): Uint8Array {
  const compressed = 4
  const fields = [
    ...[
      [2, 2],
      [0, 4],
      [Number(isShown), 1],
      [0, 1],
      [0x498342, 24],
      [0, 4],
      [7, 16],
      [511, 16],
      [0, 1],
    ],
    // probabilities are not adapted; loop filter; quantizer; no segments; tiles
    ...[
      [0, 1],
      [1, 1],
      [0, 2],
      [0, 10],
      [50, 8],
      [0, 3],
      [0, 1],
      [1, 1],
      [0, 1],
      [compressed, 16],
    ],
  ]
  const bits = fields.map(([value, count]) => value.toString(2).padStart(count, '0')).join('')
  const header = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
  const tiles = new Uint8Array(compressed + 4 + firstTile + secondTile)
  new DataView(tiles.buffer).setUint32(compressed, firstTile)
  return Uint8Array.of(...header, ...tiles)
}

/** Pictures of `zeroSymbols` with tiles of 8 to 39 bytes that are read to their end, by the length of the tiles. */
function wholeTiles(pictureOf: (first: number, second: number) => Uint8Array): string[] {
  const track = { ...trackOf(streamFixture('vp9'), 'raw'), width: 8, height: 512 }
  const lengths = Array.from({ length: 32 }, (_, i) => 8 + i)
  return lengths.flatMap((first) =>
    lengths
      .filter(
        (second) => codecNamed('vp9')?.pictureReader?.(track)?.read(pictureOf(first, second)) === 'whole',
      )
      .map((second) => `${first}, ${second}`),
  )
}

it('VP9 tiles may end in any number of zeros, and are then exactly as long as their symbols', () => {
  expect(wholeTiles((first, second) => zeroSymbols(first, second))).toEqual(['13, 13'])
})

it('so are those of frames in front of an index that tells their sizes', () => {
  const whole = wholeTiles((first, second) => {
    const hidden = zeroSymbols(first, second, false)
    const shown = zeroSymbols(13, 13)
    const marker = 0xc1
    return Uint8Array.of(...hidden, ...shown, marker, hidden.length, shown.length, marker)
  })
  expect(whole).toEqual(['13, 13'])
})
