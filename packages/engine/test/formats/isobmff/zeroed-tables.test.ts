import { describe, expect, it } from 'vitest'
import { isImpossible } from '../../../src/formats/isobmff/boxes/stss.ts'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { SAMPLE_KEY } from '../../../src/model/sample-table.ts'
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

/** A recording whose table of key pictures has other bytes from its `from`th on, counted from its version. */
function otherKeys(name: FixtureName, from: number, byte: (at: number) => number): Uint8Array {
  const bytes = fixture(name).slice()
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('stss', 0, 'latin1')
  const end = at - 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(at - 4)
  for (let place = at + 4 + from; place < end; place++) bytes[place] = byte(place)
  return bytes
}

const keysOf = ({ samples: { length, flags } }: MovieTrack): number[] =>
  Array.from({ length }, (_, row) => row).filter((row) => (flags[row] & SAMPLE_KEY) !== 0)

describe('a table of key pictures', () => {
  it.each([
    ['of zeros', 8, () => 0],
    ['of zeros, and their count', 4, () => 0],
    ['of noise', 8, (at: number) => ((at * 0x9e3779b1) >>> 9) & 0xff],
  ] as const)('%s is made anew by the pictures', async (_what, from, byte) => {
    const whole = await movieOf(fixture('h264-aac.mp4'))
    const { bytes, report } = await repaired(otherKeys('h264-aac.mp4', from, byte))
    expect(report.verdict).toBe('repaired')
    const movie = await movieOf(bytes)
    expect(movie.tracks.map(keysOf)).toEqual(whole.tracks.map(keysOf))
  })

  it.each([
    [[], 9, false],
    [[1, 5, 9], 9, false],
    [[0, 4, 8], 9, false],
    [[1, 5, 12], 9, false],
    [[1, 0, 9], 9, true],
    [[1, 1, 1], 9, true],
    [[10, 11], 9, true],
    [[9, 8, 7, 6], 9, true],
  ])('%j of %i samples: impossible: %s', (numbers, samples, expected) => {
    expect(isImpossible(Uint32Array.from(numbers), samples)).toBe(expected)
  })
})
