import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { movieOf, repaired } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'

/** A recording in which a share of the entries of the `nth` table of a type, counted from 0, is zeroed. */
function zeroed(name: FixtureName, type: string, nth: number, from: number, to: number): Uint8Array {
  const bytes = fixture(name).slice()
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = -1
  for (let i = 0; i <= nth; i++) at = buffer.indexOf(type, at + 1, 'latin1')
  const head = at + (type === 'stsz' ? 16 : 12)
  const end = at - 4 + buffer.readUInt32BE(at - 4)
  const place = (share: number): number => head + Math.round((end - head) * share)
  return bytes.fill(0, place(from), place(to))
}

/** The samples of each track: their bytes, and when they are shown, in ticks after the first. */
function samplesOf(bytes: Uint8Array, tracks: readonly MovieTrack[]): string[] {
  return tracks.map(({ samples: { length, offset, size, dts, cts }, edits }) => {
    const start = edits?.[0]?.mediaTime ?? 0
    return Array.from({ length }, (_, row) => {
      const data = Buffer.from(bytes.subarray(offset[row], offset[row] + size[row])).toString('base64')
      return `${dts[row] + cts[row] - start} ${data}`
    }).join('\n')
  })
}

async function tracksBehind(damaged: Uint8Array): Promise<{ tracks: string[]; verdict: string }> {
  const { bytes, report } = await repaired(damaged)
  return { tracks: samplesOf(bytes, (await movieOf(bytes)).tracks), verdict: report.verdict }
}

async function healthyTracks(name: FixtureName): Promise<string[]> {
  return samplesOf(fixture(name), (await movieOf(fixture(name))).tracks)
}

describe('zeros over the table of', () => {
  it.each([
    ['where the pictures lie', 'h264-aac.mp4', 'stco', 0, 0, 1],
    ['where the sound lies', 'h264-aac.mp4', 'stco', 1, 0, 1],
    ['where the sound lies', 'hevc-aac.mp4', 'stco', 1, 0, 1],
    ['where the pictures lie, beside a time code', 'h264-two-aac.mov', 'stco', 0, 0, 1],
    ['where the first pictures lie', 'prores-pcm.mov', 'stco', 0, 0, 0.4],
    ['where PCM lies', 'h264-pcm.mov', 'stco', 1, 0, 1],
    ['when pictures are shown', 'h264-aac.mp4', 'ctts', 0, 0, 1],
    ['when the last pictures are shown', 'h264-aac.mp4', 'ctts', 0, 0.5, 1],
    ['when pictures are shown', 'hevc-aac.mp4', 'ctts', 0, 0, 1],
    ['when some pictures are shown', 'hevc-aac.mp4', 'ctts', 0, 0.3, 0.6],
  ] as const)('%s in %s cost nothing (%s)', async (_what, name, type, nth, from, to) => {
    const { tracks } = await tracksBehind(zeroed(name, type, nth, from, to))
    expect(tracks).toEqual(await healthyTracks(name))
  })

  it('the sizes of one of two tracks of sound make no healthy file', async () => {
    const { tracks, verdict } = await tracksBehind(zeroed('h264-two-aac.mov', 'stsz', 1, 0, 1))
    expect(verdict).toBe('partial')
    expect(tracks.length).toBeGreaterThanOrEqual(3)
  })
})
