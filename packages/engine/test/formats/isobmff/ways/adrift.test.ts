import { describe, expect, it } from 'vitest'
import type { Survey } from '../../../../src/formats/isobmff/read/survey.ts'
import { isAdrift, isBlind, isLoose, isUnread } from '../../../../src/formats/isobmff/ways/index/adrift.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../../src/model/track.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

const { tracks } = await movieOf(fixture('h264-aac.mp4'))
const sound = tracks[1].description

/** Whether an index is adrift whose media data box declares `declared` bytes and has `found`; its samples take 1000. */
function adrift(codec: string, declared: number, found: number, shift = 0, fits = 1): boolean {
  const [pictures, heard] = tracks
  const samples = (bytes: number): SampleTable => {
    const table = new SampleTable(1)
    table.push(0, bytes, 1, 1, 0, 0)
    return table
  }
  const held = [
    { ...pictures, samples: samples(900) },
    { ...heard, description: { ...sound, codec }, samples: samples(100) },
  ]
  const survey = { payload: [{ offset: 8, length: found }], displacements: [found - declared] }
  const pieces = shift === 0 ? [] : [{ from: 900, shift, rows: 1 }]
  return isAdrift({ survey }, { tracks: held, alignment: { pieces, tracks: [{ fits: 1 }, { fits }] } })
}

describe('bytes that came into the media data or went', () => {
  it('leave nothing in its place that nobody can tell from others', () => {
    expect(adrift('unknown', 1000, 1512)).toBe(true)
    expect(adrift('unknown', 1000, 488)).toBe(true)
    expect(adrift('aac', 1000, 1512)).toBe(false)
  })

  it('leave plain sound in its place where nothing around it was found to have moved', () => {
    expect(adrift('pcm', 1000, 488)).toBe(true)
    expect(adrift('pcm', 1000, 488, -512)).toBe(false)
    expect(adrift('pcm', 1000, 1000)).toBe(false)
  })

  it('leave a track in its place of which nothing is read there', () => {
    expect(adrift('dts', 1000, 488, 0, 0)).toBe(true)
    expect(adrift('dts', 1000, 488, -512, 0)).toBe(false)
    expect(adrift('dts', 1000, 488, 0, 1)).toBe(false)
  })

  it('may be of either side where samples of one size fit both, and are more than a moment', () => {
    const loose = (seconds: number): boolean =>
      isLoose({ tracks, alignment: { loose: [0, seconds * sound.timescale] } })
    expect(loose(0.09)).toBe(false)
    expect(loose(0.3)).toBe(true)
  })

  it('leave samples of one size in doubt of which they are a whole number', () => {
    expect(adrift('amr', 1000, 800)).toBe(true)
    expect(adrift('amr', 1000, 850)).toBe(false)
    expect(adrift('amr', 1000, 800, -200)).toBe(false)
  })

  it('are none where the size of the box alone was hit', () => {
    expect(adrift('unknown', 500, 1000)).toBe(false)
    expect(adrift('unknown', 9000, 1000)).toBe(false)
    expect(adrift('unknown', 1000, 1000)).toBe(false)
  })
})

it('an index is blind where none of its pictures and sound is read in its place, and little is missing', () => {
  const end = Math.max(
    ...tracks.flatMap(({ samples }) =>
      Array.from(samples.offset, (offset, row) => offset + samples.size[row]),
    ),
  )
  const blind = (pictures: number, heard: number, size = end + 777, last = 'mdat'): boolean => {
    const survey = { boxes: [{ type: 'ftyp' }, { type: last }] } as unknown as Pick<Survey, 'boxes'>
    return isBlind({ survey }, { tracks, alignment: { tracks: [{ fits: pictures }, { fits: heard }] } }, size)
  }
  expect(blind(0, 0)).toBe(true)
  expect(blind(0, 1)).toBe(false)
  expect(blind(1, 0)).toBe(false)
  expect(blind(0, 0, end - 512)).toBe(true)
  expect(blind(0, 0, end - 5000)).toBe(false)
  // nothing ends elsewhere, or what follows the media data does not
  expect(blind(0, 0, end)).toBe(false)
  expect(blind(0, 0, end + 777, 'moov')).toBe(false)
})

it.each<[string, Partial<TrackDescription>, boolean]>([
  ['sound that is known', {}, false],
  ['sound of a codec that nobody reads', { codec: 'unknown' }, true],
  ['pictures whose parts carry lengths', { kind: 'video', codec: 'unknown', framing: 'length' }, false],
  ['encrypted sound', { facts: { protected: 'aac' } }, true],
  ['data', { kind: 'data', codec: 'unknown' }, false],
])('%s: %j', (_, change, unread) => {
  expect(isUnread({ ...sound, ...change })).toBe(unread)
})
