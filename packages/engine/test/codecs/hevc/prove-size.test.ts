import { describe, expect, it } from 'vitest'
import { parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { proveSize, readsAs } from '../../../src/codecs/hevc/prove-size.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const { bytes, packets, config, width, height } = streamFixture('hevc-open-gop')
const sets = parseHvcC(config)
const keys = packets.filter(({ key }) => key).sort((a, b) => a.size - b.size)

/** The stream with noise in place of the second half of some key pictures, by their place among them from the shortest on. */
function damaged(places: readonly number[]): Uint8Array {
  const copy = bytes.slice()
  for (const place of places) {
    const { offset, size } = keys[place]
    const half = size >> 1
    copy.set(noise(size - half, place + 1), offset + half)
  }
  return copy
}

function proven(stream: Uint8Array) {
  const units = keys.map(({ offset, size }) => ({ offset, length: size }))
  return sets && proveSize(readerOf(stream), units, sets)
}

describe('the size of HEVC pictures', () => {
  it('is proven by key pictures that read to their ends', () => {
    expect(keys.length).toBeGreaterThanOrEqual(3)
    expect(proven(bytes)).toMatchObject({ width, height, pictures: keys.length, all: true })
  })

  it.each(keys.slice(0, 3).map((_, place) => place))(
    'is proven by the others where key picture %i by length is damaged',
    (place) => {
      expect(proven(damaged([place]))).toMatchObject({ width, height, pictures: keys.length - 1, all: false })
    },
  )

  it('is not proven where all key pictures are damaged', () => {
    const stream = damaged(keys.map((_, place) => place))
    expect(proven(stream)).toBeUndefined()
  })

  it('is not proven where the pictures are noise', () => {
    expect(proven(noise(bytes.length))).toBeUndefined()
  })

  it("is the sets' own as soon as one key picture reads with it", () => {
    const units = keys.map(({ offset, size }) => ({ offset, length: size }))
    const all = keys.map((_, place) => place)
    expect(sets && readsAs(readerOf(damaged(all.slice(1))), units, sets)).toBe(true)
    expect(sets && readsAs(readerOf(damaged(all)), units, sets)).toBe(false)
  })

  it.each(['hevc-p', 'hevc-10-bit', 'hevc-422-10-bit', 'hevc-444-10-bit'])(
    'is proven by every key picture of %s, of whatever chroma format',
    (name) => {
      const { bytes, packets, config, width, height } = streamFixture(name)
      const sets = parseHvcC(config)
      const units = packets.filter(({ key }) => key).map(({ offset, size }) => ({ offset, length: size }))
      const found = sets && proveSize(readerOf(bytes), units, sets)
      expect(found).toMatchObject({ width, height, pictures: units.length, all: true })
    },
  )
})
