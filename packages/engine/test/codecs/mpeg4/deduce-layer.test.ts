import { describe, expect, it } from 'vitest'
import { deduceLayers } from '../../../src/codecs/mpeg4/deduce-layer.ts'
import { layerOf } from '../../../src/codecs/mpeg4/headers.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const SIZES = [
  [320, 180],
  [64, 48],
  [96, 64],
  [176, 144],
  [128, 96],
] as const

/** The stream's packets apart, with bytes between them that belong to nobody, and none of its headers. */
function scattered(name: string): Uint8Array {
  const { bytes, packets } = streamFixture(name)
  const parts = packets.flatMap(({ offset, size }, i) => [
    noise(40 + (i % 7), i + 1),
    bytes.subarray(offset, offset + size),
  ])
  return new Uint8Array(Buffer.concat(parts))
}

function deduced(bytes: Uint8Array) {
  const [found] = deduceLayers(readerOf(bytes), [{ offset: 0, length: bytes.length }], SIZES)
  return found && { ...found, layer: layerOf(readerOf(found.config)) }
}

describe('a video object layer that stands nowhere', () => {
  it.each(['mpeg4-simple', 'mpeg4-b', 'mpeg4-interlaced', 'mpeg4-packets', 'mpeg4-qpel-4mv'])(
    '%s: size, bits of times and interlacing follow from its planes',
    (name) => {
      const own = layerOf(readerOf(streamFixture(name).config))
      const { width, height, timeBits, interlaced } = own ?? {}
      expect(deduced(scattered(name))?.layer).toMatchObject({ width, height, timeBits, interlaced })
    },
  )

  it.each(['mpeg4-simple', 'mpeg4-b', 'mpeg4-packets'])(
    '%s: lies, though its planes read as well upright',
    (name) => {
      const bytes = scattered(name)
      const own = layerOf(readerOf(streamFixture(name).config))
      const { width = 0, height = 0 } = own ?? {}
      const [found] = deduceLayers(readerOf(bytes), [{ offset: 0, length: bytes.length }], [[height, width]])
      expect(found).toMatchObject({ width, height })
    },
  )

  it.each(['mpeg4-simple', 'mpeg4-b'])('%s: ticks a second and rate follow from its times', (name) => {
    const found = deduced(scattered(name))
    expect(found?.layer?.timeResolution).toBe(25)
    expect(found?.rate).toEqual({ num: 25, den: 1 })
  })

  it('is found although a key picture is damaged', () => {
    const bytes = scattered('mpeg4-simple')
    const first = Buffer.from(bytes).indexOf(Buffer.from([0, 0, 1, 0xb6]))
    bytes.set(noise(200, 9), first + 30)
    expect(deduced(bytes)?.layer).toMatchObject({ width: 96, height: 64 })
  })

  it('is read by chance from one plane at most where there is none', () => {
    const bytes = noise(200_000, 3)
    for (let at = 0; at + 8 < bytes.length; at += 5_000) bytes.set([0, 0, 1, 0xb6, 0x10], at)
    expect(deduced(bytes)?.planes ?? 0).toBeLessThanOrEqual(1)
    expect(deduced(new Uint8Array(100_000))).toBeUndefined()
  })
})
