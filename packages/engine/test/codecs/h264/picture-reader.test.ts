import { describe, expect, it } from 'vitest'
import { parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { H264PictureReader } from '../../../src/codecs/h264/picture-reader.ts'
import { noise } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

function opened(name: string) {
  const { bytes, packets, config } = streamFixture(name)
  const sets = parseAvcC(config)
  if (!sets) throw new Error('no configuration')
  const samples = packets.map(({ offset, size }) => bytes.slice(offset, offset + size))
  return { reader: new H264PictureReader(sets), samples }
}

const CABAC = [
  'h264-b-adaptive',
  'h264-b-pyramid',
  'h264-open-gop',
  'h264-slices-2',
  'h264-slices-8',
  'h264-10-bit',
  'h264-field-pairs',
]
/** Few small pictures whose contexts begin otherwise, cabac_init_idc. */
const OTHER_CONTEXTS = ['h264-cabac-init-1', 'h264-cabac-init-2']
const CAVLC = ['h264-baseline', 'h264-cavlc']

describe('H.264 pictures read to their last bit', () => {
  it.each([...CABAC, ...OTHER_CONTEXTS, ...CAVLC, 'h264-422-10-bit-intra', 'h264-aud-repeated-headers'])(
    'are whole, in %s, whatever they refer to',
    (name) => {
      const { reader, samples } = opened(name)
      expect(samples.map((sample) => reader.read(sample))).toEqual(samples.map(() => 'whole'))
    },
  )

  it('are whole in front of an end of sequence, which is a header alone', () => {
    const { reader, samples } = opened('h264-baseline')
    expect(reader.read(Uint8Array.from([...samples[0], 0, 0, 0, 1, 10]))).toBe('whole')
  })

  it.each([...CABAC, ...CAVLC])(
    'are not whole where bytes in the middle were hit, in %s, nine times in ten',
    (name) => {
      const { reader, samples } = opened(name)
      const hits = samples.filter((sample) => sample.length > 100)
      expect(hits.length).toBeGreaterThan(3)
      let hit = 0
      for (const [place, sample] of hits.entries()) {
        const bytes = sample.slice()
        bytes.set(noise(40, place + 1), sample.length >> 1)
        if (reader.read(bytes) !== 'whole') hit++
        expect(reader.read(sample)).toBe('whole')
      }
      expect(hit / hits.length).toBeGreaterThanOrEqual(0.9)
    },
  )

  it('are torn where bits were hit behind the headers of slices that are all there', () => {
    const { reader, samples } = opened('h264-slices-2')
    const [, second] = samples
    const first = new DataView(second.buffer, second.byteOffset).getUint32(0)
    const bytes = second.slice()
    bytes.set(noise(first - 40, 3), 4 + 30)
    expect(reader.read(bytes)).toBe('torn')
    bytes.set(noise(4, 4), 4 + first)
    expect(reader.read(bytes)).toBe('broken')
  })

  it('are spoiled by zeros that no unit may hold, though nothing reads them', () => {
    const { reader, samples } = opened('h264-b-pyramid')
    const sets = parseAvcC(streamFixture('h264-b-pyramid').config)
    if (!sets) throw new Error('no configuration')
    const blind = new H264PictureReader({ ...sets, pps: [] })
    const sample = samples.find(({ length }) => length > 300)?.slice() ?? new Uint8Array(0)
    expect(blind.read(sample)).toBe('unread')
    sample.fill(0, sample.length - 60, sample.length - 30)
    expect(reader.read(sample)).toBe('spoiled')
    expect(blind.read(sample)).toBe('spoiled')
  })

  it('are broken where a slice is missing', () => {
    const { reader, samples } = opened('h264-slices-2')
    for (const sample of samples.slice(1)) {
      const first = 4 + new DataView(sample.buffer, sample.byteOffset).getUint32(0)
      expect(reader.read(sample.subarray(0, first))).toBe('broken')
      expect(reader.read(sample.subarray(first))).toBe('broken')
    }
  })

  it('are whole with a start code left behind them by an editor, within their length', () => {
    const { reader, samples } = opened('h264-b-pyramid')
    for (const sample of samples.slice(1, 6)) {
      const bytes = Uint8Array.of(...sample, 0, 0, 0, 1, 10)
      new DataView(bytes.buffer).setUint32(0, bytes.length - 4)
      expect(reader.read(bytes)).toBe('whole')
    }
  })

  it('are not read where their parameter sets are unknown, or frames and fields take turns within a picture that refers to others', () => {
    const { samples } = opened('h264-b-pyramid')
    const reader = new H264PictureReader({ lengthSize: 4, sps: [], pps: [] })
    expect(reader.read(samples[1] ?? new Uint8Array(0))).toBe('unread')
    const interlaced = opened('h264-interlaced')
    expect(interlaced.samples.map((sample) => interlaced.reader.read(sample)).slice(0, 3)).toEqual([
      'whole',
      'unread',
      'unread',
    ])
  })
})
