import { describe, expect, it } from 'vitest'
import type { BitDepth } from '../../../src/codecs/hevc/bit-depth.ts'
import { buildHvcC, parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { parseSps } from '../../../src/codecs/hevc/sps.ts'
import { withDepth } from '../../../src/codecs/hevc/write-sets.ts'
import { pictureEntry } from '../../../src/formats/isobmff/deduce/sample-entries.ts'
import { box, fullBox, joined, words, wordsOf } from '../../../testing/adversaries/bytes.ts'
import { counted, FILE_TYPE, movieBox } from '../../../testing/adversaries/movie.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { movieOf, repaired } from './support/engine.ts'

const PICTURE_TICKS = 1200

/** A stored stream as a recording whose index says samples of some depth. */
function recording(name: string, depth: BitDepth): { media: Uint8Array; whole: Uint8Array } {
  const { bytes, packets, config, width, height } = streamFixture(name)
  const sets = parseHvcC(config)
  const sps = sets && parseSps(withDepth(sets.sps[0], depth))
  if (!sps) throw new Error('the stream is not HEVC')
  const record = buildHvcC(sets.vps, [sps], sets.pps, sets.lengthSize)
  const media = joined([FILE_TYPE, box('mdat', bytes)])
  const keys = packets.flatMap(({ key }, row) => (key ? [row + 1] : []))
  const track = {
    entry: pictureEntry({ format: 'hvc1', width, height, boxes: [['hvcC', record]] }),
    duration: packets.length * PICTURE_TICKS,
    stts: counted('stts', words([packets.length, PICTURE_TICKS])),
    stss: counted('stss', words(keys), 4),
    stsc: counted('stsc', words([1, packets.length, 1]), 12),
    stsz: fullBox(
      'stsz',
      0,
      words([0, packets.length]),
      wordsOf(packets.length, (row) => packets[row].size),
    ),
    stco: counted('stco', words([FILE_TYPE.length + 8]), 4),
  }
  return { media, whole: joined([media, movieBox([track])]) }
}

async function depthIn(file: Uint8Array): Promise<number | undefined> {
  const [track] = (await movieOf(file)).tracks
  return parseHvcC(track.description.config)?.sps[0]?.bitDepthLuma
}

describe('HEVC pictures of another bit depth than the sample', () => {
  it.each([
    ['hevc-10-bit', 10, 8],
    ['hevc-p', 8, 10],
  ] as const)('%s of %i bits beside a sample of %i keeps its own', async (name, own, other) => {
    const { media } = recording(name, own)
    const sample = recording(name, other).whole
    expect(await depthIn(sample)).toBe(other)
    const { report, bytes } = await repaired(media, sample)
    expect(report.findings.map(({ code }) => code)).toContain('sample.other-settings')
    expect(await depthIn(bytes)).toBe(own)
  })

  it.each([
    ['hevc-10-bit', 10],
    ['hevc-p', 8],
  ] as const)('is not suspected of %s where the sample has its %i bits', async (name, own) => {
    const { media, whole } = recording(name, own)
    const { report, bytes } = await repaired(media, whole)
    expect(report.findings.map(({ code }) => code)).not.toContain('sample.other-settings')
    expect(await depthIn(bytes)).toBe(own)
  })
})
