import { describe, expect, it } from 'vitest'
import type { BitDepth } from '../../../src/codecs/hevc/bit-depth.ts'
import { buildHvcC, parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { parseSps } from '../../../src/codecs/hevc/sps.ts'
import { withDepth } from '../../../src/codecs/hevc/write-sets.ts'
import { movieOf, repaired } from './support/engine.ts'
import { type StreamRecording, streamRecording } from './support/stream-recording.ts'

/** A stored stream as a recording whose index says samples of some depth. */
function recording(name: string, depth: BitDepth): StreamRecording {
  return streamRecording(name, 'hvc1', 'hvcC', (config) => {
    const sets = parseHvcC(config)
    const sps = sets && parseSps(withDepth(sets.sps[0], depth))
    if (!sps) throw new Error('the stream is not HEVC')
    return buildHvcC(sets.vps, [sps], sets.pps, sets.lengthSize)
  })
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
