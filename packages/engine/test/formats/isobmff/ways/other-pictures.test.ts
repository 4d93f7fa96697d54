import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import type { Teacher } from '../../../../src/formats/isobmff/ways/carve-file.ts'
import { otherPictures } from '../../../../src/formats/isobmff/ways/sample/picture-coding.ts'
import { config, film, layer } from '../../../../testing/video/mpeg4-clocks.ts'
import { movieOf, readerOf } from '../support/engine.ts'
import { type FixtureName, fixture } from '../support/fixtures.ts'

/** What the pictures of some bytes say of themselves beside a track of a sample. */
function told(bytes: Uint8Array, sample: Uint8Array, picture: MovieTrack) {
  const teacher = { reader: readerOf(sample) } as unknown as Teacher
  return otherPictures(readerOf(bytes), [{ offset: 0, length: bytes.length }], teacher, picture)
}

describe('pictures beside a sample of others', async () => {
  const { width = 0, height = 0 } = layer
  const [track] = (await movieOf(fixture('mpeg4-aac.mp4'))).tracks
  const planes = { ...track, description: { ...track.description, config, width, height } }

  it('of MPEG-4 have the clock that their times tell, and leave some out where they do', () => {
    const sample = film(25, 1, 4)
    const clocked = told(film(999, 100, 6), sample, planes)
    expect(clocked).toMatchObject({
      ...{ codec: 'mpeg4', origin: 'in-band', rate: { num: 999, den: 100 } },
      facts: [{ what: 'clock of the pictures', estimated: false }],
      track: { kind: 'video', coding: { codec: 'mpeg4' }, width, height, fromFirstPicture: true },
    })
    expect(clocked?.leftOut).toBeUndefined()
    expect((clocked?.track.timescale ?? 0) / (clocked?.track.unit ?? 1)).toBeCloseTo(9.99, 9)
    expect(
      told(
        film(999, 100, 9, (n) => n % 7 === 3),
        sample,
        planes,
      )?.leftOut,
    ).toBe(true)
    expect(told(film(25, 1, 4), sample, planes)).toBeUndefined()
  })

  it.each<[FixtureName, FixtureName]>([
    ['mpeg4-aac-larger.mp4', 'mpeg4-aac.mp4'],
    ['mjpeg-pcm-larger.mov', 'mjpeg-pcm.mov'],
    ['h264-opus-larger.mp4', 'h264-opus.mp4'],
  ])('of %s have another size than those of %s, and none of their own file', async (name, beside) => {
    const [own, sample] = [fixture(name), fixture(beside)]
    const [larger] = (await movieOf(own)).tracks
    const [picture] = (await movieOf(sample)).tracks
    const found = told(own, sample, picture)
    // other codecs keep their size in the index alone
    const { codec, width, height } = larger.description
    if (codec === 'mjpeg') expect(found).toMatchObject({ codec, track: { width, height } })
    else expect(found).toBeUndefined()
    expect(told(own, own, larger)).toBeUndefined()
    // beside a sample whose pictures say nothing, one side that differs is enough
    const silent = (more: object) =>
      told(own, new Uint8Array(larger.samples.offset[0] + 5000), {
        ...larger,
        description: { ...larger.description, ...more },
      })
    for (const more of [{ width: 8 }, { height: 8 }])
      expect(silent(more)?.codec).toBe(codec === 'mjpeg' ? codec : undefined)
    if (codec === 'mjpeg') expect(silent({})).toBeUndefined()
    expect(told(new Uint8Array(5000), sample, picture)).toBeUndefined()
  })
})
