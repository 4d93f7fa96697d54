import { describe, expect, it } from 'vitest'
import { RunBuilder } from '../../../../src/formats/isobmff/boxes/stts.ts'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { remainingTracks } from '../../../../src/formats/isobmff/ways/described-tracks.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

const movie = await movieOf(fixture('h264-aac.mp4'))
const [PICTURES, SOUND] = movie.tracks

function runsOf(...runs: readonly (readonly [count: number, value: number])[]): RunBuilder {
  const all = new RunBuilder()
  for (const [count, value] of runs) all.add(value, count)
  return all
}

/** What is left of a track whose index has these durations. */
function left(track: MovieTrack, durations: RunBuilder | undefined, more: Partial<MovieTrack> = {}) {
  const { durations: _, ...rest } = track.tables
  const tables = durations ? { ...rest, durations } : rest
  return remainingTracks({ ...movie, tracks: [{ ...track, tables, ...more }] })[0]
}

describe('tracks that a broken index still describes', () => {
  const timescale = PICTURES.description.timescale

  it('have a rate where nearly all pictures last equally long, else what they last in the mean', () => {
    const clock = (durations: RunBuilder, track = PICTURES) => {
      const found = left(track, durations)
      return [found.track.timescale, found.track.unit, found.rate]
    }
    const rate = { num: timescale, den: 512 }
    expect(clock(runsOf([9, 512], [1, 600]))).toEqual([timescale, 512, rate])
    expect(clock(runsOf([89, 512], [11, 600]))).toEqual([timescale, 522, undefined])
    expect(clock(runsOf([1, 600], [9, 512]))).toEqual([timescale, 512, rate])
    expect(clock(runsOf([5, 512], [1, 600], [4, 512]))).toEqual([timescale, 512, rate])
    expect(clock(runsOf([9, 0], [1, 600]))).toEqual([timescale, 60, undefined])
    const { timescale: rateOfSound } = SOUND.description
    expect(clock(runsOf([9, 1024], [1, 7]), SOUND)).toEqual([rateOfSound, 1024, undefined])
  })

  it('have a usual clock where they are of pictures and no duration is left, and are none where they are of sound', () => {
    const pictures = left(PICTURES, undefined)
    expect(pictures.track.unit).toBeGreaterThan(0)
    expect(pictures.track.timescale).not.toBe(timescale)
    expect(pictures).not.toHaveProperty('rate')
    expect(left(SOUND, undefined)).toBeUndefined()
    expect(left(SOUND, runsOf([3, 0]))).toBeUndefined()
  })

  it('keep their boxes, and begin with the first picture shown wherever that is', () => {
    const { entries, information, handler, handlerType, header, trackBoxes, edits = [] } = PICTURES
    const all = runsOf([50, 512])
    const first = edits[0].mediaTime
    const shown = edits.map((edit) => ({ ...edit, duration: 0, mediaTime: 0 }))
    const found = left(PICTURES, all)
    expect(found).toMatchObject({ codec: 'h264', origin: 'index' })
    expect(found.track).toMatchObject({ kind: 'video', width: 128, height: 72 })
    expect(found.track.verbatim).toEqual({
      ...{ family: 'isobmff', handler: handlerType, entry: entries[0].bytes, tail: header.tail },
      ...{ information, handlerBox: handler, trackBoxes, edits: shown },
    })
    const late = [
      { ...edits[0], mediaTime: -1 },
      { ...edits[0], mediaTime: first + 512 },
    ]
    expect(left(PICTURES, all, { edits: late }).track.verbatim).toMatchObject({
      edits: [late[0], { ...late[1], duration: 0 }],
    })
    const bare = left(PICTURES, all, { information: [], handler: new Uint8Array(0), edits: undefined })
    for (const name of ['information', 'handlerBox', 'edits'])
      expect(bare.track.verbatim).not.toHaveProperty(name)
  })

  it('are none that lie elsewhere, are encrypted, lost their entries, or are of plain sound', async () => {
    const all = runsOf([50, 512])
    expect(left(PICTURES, all, { entries: [] })).toBeUndefined()
    expect(left(PICTURES, all, { external: true })).toBeUndefined()
    expect(
      left(PICTURES, all, { protection: { ivBytes: 8 } as NonNullable<MovieTrack['protection']> }),
    ).toBeUndefined()
    expect(remainingTracks(undefined)).toEqual([])
    const [, plain] = remainingTracks(await movieOf(fixture('h264-pcm.mov')))
    expect(plain).toBeUndefined()
  })
})
