import { describe, expect, it } from 'vitest'
import { h263 } from '../../src/codecs/h263/index.ts'
import { mpeg4 } from '../../src/codecs/mpeg4/index.ts'
import { noise, trackOf } from '../../testing/video/replay.ts'
import { streamFixture } from '../../testing/video/stream-fixture.ts'

const MPEG4 = ['mpeg4-simple', 'mpeg4-b', 'mpeg4-interlaced', 'mpeg4-packets', 'mpeg4-qpel-4mv']
const H263 = ['h263']

function opened(name: string) {
  const fixture = streamFixture(name)
  const { bytes, packets } = fixture
  const codec = MPEG4.includes(name) ? mpeg4 : h263
  const reader = codec.pictureReader?.(trackOf(fixture, 'raw'))
  if (!reader) throw new Error('no reader')
  return { reader, samples: packets.map(({ offset, size }) => bytes.slice(offset, offset + size)) }
}

describe('pictures whose ends show when every macroblock is read', () => {
  it.each([...MPEG4, ...H263])('are whole, in %s', (name) => {
    const { reader, samples } = opened(name)
    expect(samples.map((sample) => reader.read(sample))).toEqual(samples.map(() => 'whole'))
  })

  it.each([...MPEG4, ...H263])('are torn where bytes in the middle were hit, in %s, as a rule', (name) => {
    const { reader, samples } = opened(name)
    const hit = samples.flatMap((sample, place) => {
      const bytes = sample.slice()
      bytes.set(noise(24, place + 1), sample.length >> 1)
      const reading = sample.length < 200 ? [] : [reader.read(bytes)]
      expect(reader.read(sample)).toBe('whole')
      return reading
    })
    expect(hit.length).toBeGreaterThan(3)
    expect(hit.filter((reading) => reading === 'torn').length / hit.length).toBeGreaterThanOrEqual(0.8)
  })

  it('are of one kind where they refer to others, and of another where they do not', () => {
    const { reader, samples } = opened('mpeg4-simple')
    const types = samples.map((sample) => {
      reader.read(sample)
      return reader.sliceType
    })
    expect(types.slice(0, 3)).toEqual([2, 0, 0])
  })

  it('are not judged where something else stands in their place or behind them', () => {
    const { reader, samples } = opened('mpeg4-simple')
    const [first, second] = samples
    expect(reader.read(noise(500, 7))).toBe('unread')
    expect(reader.read(new Uint8Array(Buffer.concat([first, noise(20, 5)])))).toBe('unread')
    expect(reader.read(new Uint8Array(Buffer.concat([first, new Uint8Array(8)])))).toBe('whole')
    const torn = first.slice()
    torn.set(noise(24, 3), first.length >> 1)
    expect(reader.read(new Uint8Array(Buffer.concat([torn, second])))).toBe('broken')
  })
})
