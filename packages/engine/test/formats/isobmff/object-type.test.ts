import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import {
  withObjectTypeOf,
  withObjectTypeOfSamples,
} from '../../../src/formats/isobmff/ways/descriptions/object-type.ts'
import { movieOf, readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

/** objectTypeIndication of MPEG-4 audio and stream type of sound, ISO/IEC 14496-1:2010 Tables 5 and 6. */
const SOUND = Buffer.from([0x40, 0x15])

async function sound(): Promise<MovieTrack> {
  const [, track] = (await movieOf(fixture('h264-aac.mp4'))).tracks
  return track
}

/** The track with its objectTypeIndication changed in all that holds it. */
function hit(track: MovieTrack, bits: number): MovieTrack {
  const changed = (bytes: Uint8Array): Uint8Array => {
    const copy = bytes.slice()
    copy[Buffer.from(copy).indexOf(SOUND)] ^= bits
    return copy
  }
  const entries = track.entries.map((entry) => ({ ...entry, bytes: changed(entry.bytes) }))
  return { ...track, sampleDescription: changed(track.sampleDescription), entries }
}

describe('an objectTypeIndication', () => {
  it('that names no codec is the sample’s where one bit makes it that', async () => {
    const track = await sound()
    const mended = withObjectTypeOf(hit(track, 2), track)
    expect(mended?.sampleDescription).toEqual(track.sampleDescription)
    expect(mended?.entries).toEqual(track.entries)
  })

  it('stays where it names a codec, or differs in more', async () => {
    const track = await sound()
    expect(withObjectTypeOf(track, track)).toBeUndefined()
    // 0x60 is MPEG-2 visual, Simple profile
    expect(withObjectTypeOf(hit(track, 0x20), track)).toBeUndefined()
    expect(withObjectTypeOf(hit(track, 3), track)).toBeUndefined()
  })

  it('that names no codec is that of the samples without another track', async () => {
    const track = await sound()
    const reader = readerOf(fixture('h264-aac.mp4'))
    const mended = withObjectTypeOfSamples(reader, hit(track, 2))
    expect(mended?.sampleDescription).toEqual(track.sampleDescription)
    expect(withObjectTypeOfSamples(reader, track)).toBeUndefined()
    const elsewhere = track.samples.offset.with(0, 40)
    const strange = Object.assign(Object.create(track.samples), { offset: elsewhere })
    expect(withObjectTypeOfSamples(reader, { ...hit(track, 2), samples: strange })).toBeUndefined()
  })
})
