import { describe, expect, it } from 'vitest'
import { parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { HevcPictureReader } from '../../../src/codecs/hevc/picture-reader.ts'
import { noise } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

function opened(name: string) {
  const { bytes, packets, config } = streamFixture(name)
  const sets = parseHvcC(config)
  if (!sets) throw new Error('no configuration')
  const samples = packets.map(({ offset, size }) => bytes.slice(offset, offset + size))
  return { reader: new HevcPictureReader(sets), samples }
}

describe('HEVC pictures read to their last bit', () => {
  it.each([
    ...['hevc-p', 'hevc-open-gop', 'hevc-b-pyramid', 'hevc-radl', 'hevc-slices', 'hevc-temporal-layers'],
    ...[
      'hevc-repeated-headers',
      'hevc-10-bit',
      'hevc-422-10-bit',
      'hevc-444-10-bit',
      'hevc-sao-without-deblocking',
    ],
  ])('are whole, in %s, whatever they refer to', (name) => {
    const { reader, samples } = opened(name)
    expect(samples.map((sample) => reader.read(sample))).toEqual(samples.map(() => 'whole'))
  })

  it('are whole in front of an end of sequence, which is a header alone', () => {
    const { reader, samples } = opened('hevc-p')
    expect(reader.read(Uint8Array.from([...samples[0], 0, 0, 0, 2, 36 << 1, 1]))).toBe('whole')
  })

  it.each(['hevc-open-gop', 'hevc-b-pyramid', 'hevc-p'])(
    'are torn where bytes in the middle were hit, in %s',
    (name) => {
      const { reader, samples } = opened(name)
      const hits = samples.filter((sample) => sample.length > 100)
      expect(hits.length).toBeGreaterThan(3)
      for (const [place, sample] of hits.entries()) {
        const bytes = sample.slice()
        bytes.set(noise(40, place + 1), sample.length >> 1)
        expect(reader.read(bytes), `picture ${place}`).toBe('torn')
        expect(reader.read(sample)).toBe('whole')
      }
    },
  )

  it('are not read where their parameter sets are unknown', () => {
    const { samples } = opened('hevc-p')
    const reader = new HevcPictureReader({ lengthSize: 4, vps: [], sps: [], pps: [] })
    expect(reader.read(samples[1] ?? new Uint8Array(0))).toBe('unread')
  })
})
