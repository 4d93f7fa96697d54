import { expect, it } from 'vitest'
import { codecNamed } from '../../src/codecs/index.ts'
import { Unit } from '../../src/codecs/recogniser.ts'
import { readerOf, trackOf } from '../../testing/video/replay.ts'
import { storedStreams } from '../../testing/video/stream-fixture.ts'

/** Bits that a stream's units show by a recogniser that learned none of them, and by one that learned the first six. */
function evidence(stream: ReturnType<typeof storedStreams>[number]): [string, number, number] {
  const framing = stream.name.endsWith('start-codes')
    ? 'startcode'
    : /^h(264|evc)/.test(stream.name)
      ? 'length'
      : 'raw'
  const reader = readerOf(stream.bytes)
  const bits = (learned: number): number => {
    const recogniser = codecNamed(stream.codec)?.recogniser(trackOf(stream, framing))
    if (!recogniser) throw new Error(`no recogniser of ${stream.codec}`)
    for (const { offset, size } of stream.packets.slice(0, learned)) recogniser.learn?.(reader, offset, size)
    const unit = new Unit()
    return stream.packets.slice(6, 12).reduce((sum, { offset, size }) => {
      const seen = recogniser.recognise(reader, offset, offset + size, unit)
      return sum + (seen ? unit.evidence : 0)
    }, 0)
  }
  return [stream.codec, bits(0), bits(6)]
}

it('units of a stream are the surer for others of it that were learned, in every codec that learns', () => {
  const all = storedStreams().map(evidence)
  const surer = new Map<string, number>()
  for (const [codec, before, after] of all)
    surer.set(codec, (surer.get(codec) ?? 0) + Math.round(after - before))
  expect(Object.fromEntries(surer)).toMatchInlineSnapshot(`
    {
      "av1": 56,
      "h263": 0,
      "h264": 782,
      "hevc": 687,
      "mjpeg": 0,
      "mpeg1video": 0,
      "mpeg2video": 0,
      "mpeg4": 0,
      "msmpeg4v2": 0,
      "msmpeg4v3": 0,
      "prores": 0,
      "vp8": 0,
      "vp9": 0,
      "wmv1": 0,
      "wmv2": 0,
    }
  `)
})
