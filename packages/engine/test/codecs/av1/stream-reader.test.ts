import { expect, it } from 'vitest'
import { codecNamed } from '../../../src/codecs/index.ts'
import { trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('av1')
const { packets } = fixture

/** How the pictures of the stream read, one after another; `hit` changes one of them. */
function readings(at = -1, hit: (picture: Uint8Array) => void = () => {}): (string | undefined)[] {
  const reader = codecNamed('av1')?.pictureReader?.(trackOf(fixture, 'raw'))
  return packets.map(({ offset, size }, i) => {
    const picture = fixture.bytes.slice(offset, offset + size)
    if (i === at) hit(picture)
    return reader?.read(picture)
  })
}

/** The longest picture that builds on others. */
const LONGEST = packets.reduce((best, { key, size }, i) => (!key && size > packets[best].size ? i : best), 1)

it('pictures of an AV1 stream that build on others end where their bytes do', () => {
  expect(packets.some(({ key }) => !key)).toBe(true)
  expect(readings()).toEqual(packets.map(() => 'whole'))
})

it('one of them that was hit does not, and none behind it is read up to the next key picture', () => {
  const next = packets.findIndex(({ key }, i) => key && i > LONGEST)
  expect(next).toBeGreaterThan(LONGEST)
  const told = readings(LONGEST, (picture) => picture.fill(0x5a, -12, -4))
  expect(told[LONGEST]).toBe('torn')
  expect(told.slice(LONGEST + 1, next).every((reading) => reading === 'unread')).toBe(true)
  expect(told.slice(next).every((reading) => reading === 'whole')).toBe(true)
})

it('none behind a picture that is missing is called hit', () => {
  const reader = codecNamed('av1')?.pictureReader?.(trackOf(fixture, 'raw'))
  const missing = packets.findIndex(({ key }, i) => !key && packets[i + 1]?.key === false)
  const left = packets.filter((_, i) => i !== missing)
  const told = left.map(({ offset, size }) => reader?.read(fixture.bytes.slice(offset, offset + size)))
  expect(told).toContain('unread')
  expect(told).not.toContain('torn')
})

it('turned bits in one of them are told nearly always', () => {
  const { size } = packets[LONGEST]
  const turned = Array.from({ length: 40 }, (_, i) => 8 * (size >> 1) + 7 * i).filter((bit) => bit < 8 * size)
  const told = turned.filter((bit) => {
    const turn = (picture: Uint8Array): void => {
      picture[bit >> 3] ^= 0x80 >> (bit & 7)
    }
    return readings(LONGEST, turn)[LONGEST] === 'torn'
  })
  expect(told.length / turned.length).toBeGreaterThan(0.8)
})

it('blocks of pictures that build on others tell their segments', () => {
  const { bytes, packets: pictures, ...rest } = streamFixture('av1-segments')
  const reader = codecNamed('av1')?.pictureReader?.(trackOf({ bytes, packets: pictures, ...rest }, 'raw'))
  const told = pictures.map(({ offset, size }) => reader?.read(bytes.slice(offset, offset + size)))
  expect(told).toEqual(pictures.map(() => 'whole'))
})
