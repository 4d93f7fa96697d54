import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import type { DamagedFrames } from '../../../src/formats/format.ts'
import type { Decoded, Decoder } from '../../../src/model/decoder.ts'
import type { RecordingReport } from '../../../src/model/report.ts'
import { MOST_WEIGHED } from '../../../src/recording/judge/weigh-pictures.ts'
import { pictureTrack } from '../../../testing/recordings/tracks.ts'
import { writeRecording } from '../../../testing/recordings/write-recording.ts'
import { movieOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const WHOLE = fixture('h264-aac.mp4')
const [VIDEO] = (await movieOf(WHOLE)).tracks
const { samples: SAMPLES } = VIDEO

/** The file with zeros in the middle of some of its pictures. */
function hit(rows: readonly number[]): Uint8Array {
  const bytes = WHOLE.slice()
  for (const row of rows) zeroWithin(bytes, SAMPLES, row)
  return bytes
}

function zeroWithin(bytes: Uint8Array, { offset, size }: typeof SAMPLES, row: number): void {
  const middle = offset[row] + (size[row] >> 1)
  bytes.fill(0, middle, middle + Math.min(600, size[row] >> 2))
}

/** Rows of the largest pictures that are no key pictures, in order. */
const LARGE = [...SAMPLES.size.subarray(1, SAMPLES.length).keys()]
  .map((at) => at + 1)
  .filter((row) => (SAMPLES.flags[row] & 1) === 0)
  .sort((a, b) => SAMPLES.size[b] - SAMPLES.size[a])

interface Asked {
  readonly decoder: Decoder
  readonly pictures: number[]
}

/** Says that so many pictures are wrong, by how many there are in the file and by how many calls were before. */
function decoderThat(flaws: (pictures: number, call: number) => number | undefined): Asked {
  const pictures: number[] = []
  const answer = (frames: number, errors: number): Decoded => ({
    checked: true,
    tracks: [{ kind: 'video', codec: 'h264', packets: frames, frames, errors }],
  })
  return {
    pictures,
    decoder: {
      decodeDamaged: async () => answer(SAMPLES.length, 1),
      decode: async (file) => {
        const [track] = (await movieOf(file)).tracks
        pictures.push(track.samples.length)
        const found = flaws(track.samples.length, pictures.length)
        return found === undefined
          ? { checked: false, reason: 'none here' }
          : answer(track.samples.length, found)
      },
    },
  }
}

async function result(bytes: Uint8Array, decoder: Decoder, damagedFrames: DamagedFrames) {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(bytes), name: 'damaged.mp4' },
    sink,
    options: { damagedFrames },
    decoder,
  })
  return { tracks: (report as RecordingReport).tracks, bytes: sink.bytes() }
}

async function repaired(bytes: Uint8Array, decoder: Decoder, damagedFrames: DamagedFrames = 'auto') {
  return (await result(bytes, decoder, damagedFrames)).tracks[0]
}

describe('a damaged picture', () => {
  const bytes = hit(LARGE.slice(0, 1))

  it('is left out where more pictures are wrong with it than without it', async () => {
    const { decoder, pictures } = decoderThat((_, call) => (call === 1 ? 5 : 1))
    const video = await repaired(bytes, decoder)
    expect(pictures).toHaveLength(2)
    expect(pictures[0]).toBe((pictures[1] ?? 0) + 1)
    expect([video.recovered, video.damaged, video.lost]).toEqual([SAMPLES.length - 1, 0, 1])
    expect(video.ranges.some(({ state, reason }) => state === 'lost' && reason === 'damaged')).toBe(true)
  })

  it('that is left out leaves the times of all others as they were', async () => {
    const { decoder } = decoderThat((_, call) => (call === 1 ? 5 : 1))
    const { samples } = (await movieOf((await result(bytes, decoder, 'auto')).bytes)).tracks[0]
    const kept = [...SAMPLES.dts.subarray(0, SAMPLES.length)].filter((_, row) => row !== LARGE[0])
    expect([...samples.dts.subarray(0, samples.length)]).toEqual(kept)
  })

  it.each([
    ['as many are wrong without it, itself counted', (_: number, call: number) => (call === 1 ? 2 : 1)],
    ['no decoder can tell', () => undefined],
  ])('stays where %s', async (_, flaws) => {
    const video = await repaired(bytes, decoderThat(flaws).decoder)
    expect([video.recovered, video.damaged, video.lost]).toEqual([SAMPLES.length - 1, 1, 0])
  })

  it('stays unweighed where that was asked for', async () => {
    const { decoder, pictures } = decoderThat((_, call) => (call === 1 ? 5 : 1))
    const video = await repaired(bytes, decoder, 'keep')
    expect(pictures).toEqual([])
    expect(video.damaged).toBe(1)
  })
})

it('of many damaged pictures some are weighed, the others stay', async () => {
  const rows = LARGE.slice(0, MOST_WEIGHED + 2)
  expect(rows).toHaveLength(MOST_WEIGHED + 2)
  const { decoder, pictures } = decoderThat((_, call) => (call % 2 === 1 ? 5 : 0))
  const video = await repaired(hit(rows), decoder)
  expect(pictures).toHaveLength(2 * MOST_WEIGHED)
  expect(video.lost).toBe(MOST_WEIGHED)
  expect(video.damaged).toBe(2)
})

it('of two tracks as many damaged pictures are weighed together', async () => {
  const film = writeRecording([pictureTrack('h264-cavlc', 40), pictureTrack('h264-baseline', 40)])
  const damaged = film.slice()
  for (const { samples } of (await movieOf(film)).tracks) {
    const largest = [...samples.size.subarray(0, samples.length).keys()].sort(
      (a, b) => samples.size[b] - samples.size[a],
    )
    for (const row of largest.slice(0, MOST_WEIGHED - 1)) zeroWithin(damaged, samples, row)
  }
  const { decoder, pictures } = decoderThat(() => 0)
  const { tracks } = await result(damaged, decoder, 'auto')
  expect(tracks.map(({ damaged: hit }) => hit)).toEqual([MOST_WEIGHED - 1, MOST_WEIGHED - 1])
  expect(pictures).toHaveLength(2 * MOST_WEIGHED)
})
