import { describe, expect, it } from 'vitest'
import { isWholeAvcC, parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { isWholeHvcC, parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { withOwnSets } from '../../../src/formats/isobmff/ways/descriptions/in-band-sets.ts'
import { describesSamples } from '../../../src/formats/isobmff/ways/descriptions/mend-descriptions.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { storedStreams } from '../../../testing/video/stream-fixture.ts'
import { movieOf, readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const NAMES = ['h264-aac.mp4', 'hevc-aac.mp4'] as const

async function pictures(name: (typeof NAMES)[number]): Promise<MovieTrack> {
  const [track] = (await movieOf(fixture(name))).tracks
  return track
}

function isWhole(track: { readonly codec: string; readonly config: Uint8Array }): boolean {
  return track.codec === 'h264' ? isWholeAvcC(track.config) : isWholeHvcC(track.config)
}

/** Parameter sets of a record with lengths in front. */
function setsOf({ codec, config }: MovieTrack['description']): number[] {
  const hevc = codec === 'hevc' ? parseHvcC(config) : undefined
  const record = codec === 'h264' ? parseAvcC(config) : hevc
  const sets = [...(hevc?.vps ?? []), ...(record?.sps ?? []), ...(record?.pps ?? [])]
  return sets.flatMap(({ bytes }) => [0, 0, 0, bytes.length, ...bytes])
}

/** The track with a bit flipped where its record counts its picture parameter sets. */
function hit(track: MovieTrack): MovieTrack {
  const { config, codec } = track.description
  const flip = (bytes: Uint8Array): Uint8Array => {
    const copy = bytes.slice()
    const record = Buffer.from(copy).indexOf(Buffer.from(config))
    const [last] = (codec === 'h264' ? parseAvcC(config) : parseHvcC(config))?.pps ?? []
    const set = Buffer.from(config).lastIndexOf(Buffer.from(last.bytes))
    copy[record + set - 3] ^= 0x40
    return copy
  }
  return {
    ...track,
    description: { ...track.description, config: flip(config) },
    sampleDescription: flip(track.sampleDescription),
    entries: track.entries.map((entry) => ({ ...entry, bytes: flip(entry.bytes) })),
  }
}

describe('a record of parameter sets', () => {
  it('is whole in healthy recordings', async () => {
    for (const stream of storedStreams()) {
      if (stream.codec !== 'h264' && stream.codec !== 'hevc') continue
      if (stream.config[0] === 1) expect(isWhole(stream), stream.name).toBe(true)
    }
    for (const name of NAMES) expect(isWhole((await pictures(name)).description)).toBe(true)
  })

  it.each(NAMES)('that was hit describes no samples, although they are known: %s', async (name) => {
    const track = await pictures(name)
    const reader = readerOf(fixture(name))
    expect(describesSamples(reader, track)).toBe(true)
    expect(describesSamples(reader, hit(track))).toBe(false)
  })

  it.each(NAMES)('that was hit gets its sets back from a key picture: %s', async (name) => {
    const track = await pictures(name)
    const { offset, size } = track.samples
    const picture = readerOf(fixture(name)).bytes(offset[0], size[0])
    const bytes = Uint8Array.from([...setsOf(track.description), ...picture])
    const samples = new SampleTable(1)
    samples.push(0, bytes.length, 1, 1, 0, SAMPLE_KEY)
    const mended = withOwnSets(readerOf(bytes), { ...hit(track), samples })
    expect(mended && isWhole(mended.description)).toBe(true)
    expect(mended && setsOf(mended.description)).toEqual(setsOf(track.description))
    expect(mended?.sampleDescription.length).toBe(track.sampleDescription.length)
    expect(withOwnSets(readerOf(bytes), { ...track, samples })).toBeUndefined()
    expect(withOwnSets(readerOf(new Uint8Array(bytes.length)), { ...hit(track), samples })).toBeUndefined()
  })
})
