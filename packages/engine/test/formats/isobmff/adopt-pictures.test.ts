import { describe, expect, it } from 'vitest'
import { pictureEntry } from '../../../src/formats/isobmff/boxes/sample-entries.ts'
import { withPictures } from '../../../src/formats/isobmff/write/adopt-pictures.ts'
import { boxesOf, draftMovie } from '../../../src/formats/isobmff/write/draft-movie.ts'
import type { DraftTrack } from '../../../src/recording/draft.ts'
import { movieOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const avc = (await movieOf(fixture('h264-aac.mp4'))).tracks[0].description.config
const hevc = (await movieOf(fixture('hevc-aac.mp4'))).tracks[0].description.config

/** Boxes of a written sample entry behind its fixed fields: their types. */
function typesOf(track: DraftTrack): string[] {
  const entry = Buffer.from(boxesOf(track)?.entry ?? [])
  const types: string[] = []
  for (let at = 86; at < entry.length; at += entry.readUInt32BE(at))
    types.push(entry.toString('latin1', at + 4, at + 8))
  return [entry.toString('latin1', 4, 8), ...types]
}

const box = (type: string): readonly [string, Uint8Array] => [type, Uint8Array.of(1, 2, 3)]

/** A track of pictures that keeps its own sample entry, with boxes of a camera's beside the configuration. */
function camera(
  format: string,
  coding: readonly [string, Uint8Array],
  width: number,
  height: number,
  ...more: string[]
): DraftTrack {
  const entry = pictureEntry({ format, width, height, boxes: [coding, ...more.map(box)] })
  const verbatim = { family: 'isobmff' as const, handler: 'vide', entry }
  return { kind: 'video', timescale: 12_800, unit: 512, width, height, verbatim }
}

const found = (
  codec: 'h264' | 'hevc',
  config: Uint8Array,
  size: { width?: number; height?: number } = { width: 128, height: 72 },
): DraftTrack => ({
  ...{ kind: 'video', timescale: 12_800, unit: 512, coding: { codec, config } },
  ...size,
})

describe('pictures coded as others are', () => {
  it('keep what their camera says of them beside its configuration, and the size that it shows', () => {
    const own = camera('avc1', ['avcC', avc], 120, 70, 'btrt', 'pasp', 'uuid')
    const made = withPictures(own, found('h264', avc))
    expect(typesOf(made)).toEqual(['avc1', 'pasp', 'uuid', 'avcC'])
    expect([made.width, made.height]).toEqual([120, 70])
    const [track] = draftMovie({ tracks: [made] })?.movie.tracks ?? []
    expect(track.description).toMatchObject({ codec: 'h264', width: 120, height: 70 })
    expect(track.description.config).toEqual(avc)
  })

  it('have the size that is found where what is coded has another, or says none', () => {
    const own = camera('avc1', ['avcC', avc], 120, 70, 'uuid')
    // without parameter sets the configuration tells no size
    const bare = Uint8Array.from([...avc.subarray(0, 5), 0xe0, 0])
    const made = withPictures(own, found('h264', bare))
    expect([made.width, made.height, typesOf(made)]).toEqual([128, 72, ['avc1', 'uuid', 'avcC']])
    expect(withPictures(own, found('h264', bare, {}))).toMatchObject({ width: 0, height: 0 })
    const other = withPictures(camera('avc1', ['avcC', bare], 120, 70), found('h264', avc))
    expect([other.width, other.height]).toEqual([128, 72])
  })

  it('of another codec have nothing of the own entry', () => {
    const own = camera('avc3', ['avcC', avc], 120, 70, 'uuid')
    const made = withPictures(own, found('hevc', hevc))
    expect(typesOf(made)).toEqual(['hvc1', 'hvcC'])
    expect([made.width, made.height]).toEqual([128, 72])
    expect(typesOf(withPictures(own, found('h264', avc)))).toEqual(['avc3', 'uuid', 'avcC'])
    const same = withPictures(camera('hev1', ['hvcC', hevc], 120, 70, 'colr'), found('hevc', hevc))
    expect([typesOf(same), same.width]).toEqual([['hev1', 'colr', 'hvcC'], 120])
  })

  it('stay as they are where nothing was found, and start as either says', () => {
    const own = camera('avc1', ['avcC', avc], 120, 70)
    expect(withPictures(own, { kind: 'video', timescale: 1, unit: 1 })).toBe(own)
    expect(boxesOf(withPictures(own, found('h264', avc)))?.edits).toBeUndefined()
    const started = withPictures(own, { ...found('h264', avc), fromFirstPicture: true })
    expect(boxesOf(started)?.edits).toEqual([{ duration: 0, mediaTime: 0, rate: 65_536 }])
    const edits = [{ duration: 5, mediaTime: 7, rate: 65_536 }]
    const verbatim = { ...own.verbatim, edits } as unknown as NonNullable<DraftTrack['verbatim']>
    expect(
      boxesOf(withPictures({ ...own, verbatim }, { ...found('h264', avc), fromFirstPicture: true }))?.edits,
    ).toEqual(edits)
  })
})
