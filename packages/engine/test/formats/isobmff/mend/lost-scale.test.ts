import { describe, expect, it } from 'vitest'
import { RunBuilder } from '../../../../src/formats/isobmff/boxes/stts.ts'
import { lostScale, type ScaleWitnesses } from '../../../../src/formats/isobmff/mend/times/lost-scale.ts'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { movieOf, repaired } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'
import { movieBoxes, rewritten, scalesOf, times } from '../support/movie-boxes.ts'

/** Ticks of AAC that a coder begins with before there is sound, and those of silence that fill its last frame. */
const PRIMING = 2112
const PADDING = 804

/** A film whose sound is shown without what its coder put before and behind it. */
function primed(bytes: Uint8Array, movieScale: number, soundScale: number, ticks: number): Uint8Array {
  const shown = Math.round(((ticks - PRIMING - PADDING) * movieScale) / soundScale)
  return rewritten(bytes, [
    ['moov/trak/tkhd', (view, track) => track === 1 && view.setUint32(20, shown)],
    [
      'moov/trak/edts/elst',
      (view, track) => {
        if (track === 0) return
        view.setUint32(8, shown)
        view.setUint32(12, PRIMING)
      },
    ],
  ])
}

/** Ticks of their media at which the edits of all tracks start. */
const startsOf = ({ tracks }: { readonly tracks: readonly MovieTrack[] }) =>
  tracks.map(({ edits }) => edits?.map(({ mediaTime }) => mediaTime))

/** The media header of one track, from that byte of its body on, overwritten with zeros. */
function headless(bytes: Uint8Array, track: number, from: number): Uint8Array {
  const damaged = bytes.slice()
  const { box } = movieBoxes(bytes).filter(({ path }) => path.endsWith('/mdhd'))[track]
  return damaged.fill(0, box.offset + 8 + from, box.end)
}

describe('the time scale of media whose header is lost', () => {
  const plain = fixture('h264-aac.mp4')

  it("is that of the sound's configuration where its edit list skips the start, and that list is left as it is", async () => {
    const { header, tracks } = await movieOf(plain)
    const { samples, mediaHeader } = tracks[1]
    const last = samples.length - 1
    const ticks = samples.dts[last] + samples.duration[last]
    const healthy = primed(plain, header.timescale, mediaHeader.timescale, ticks)
    const whole = await movieOf(healthy)
    expect(whole.tracks[1].edits?.[0].mediaTime).toBe(PRIMING)
    for (const from of [0, 12]) {
      const { bytes, report } = await repaired(headless(healthy, 1, from))
      const movie = await movieOf(bytes)
      expect(scalesOf(movie), `from ${from}`).toEqual(scalesOf(whole))
      expect(movie.tracks.map(({ edits }) => edits)).toEqual(whole.tracks.map(({ edits }) => edits))
      expect(movie.tracks.map(times)).toEqual(whole.tracks.map(times))
      expect(report.verdict).toBe('repaired')
    }
  })

  it('is the usual one by which pictures are as long as their track', async () => {
    const whole = await movieOf(plain)
    const { bytes, report } = await repaired(headless(plain, 0, 0))
    expect((await movieOf(bytes)).tracks.map(times)).toEqual(whole.tracks.map(times))
    expect(report.verdict).toBe('repaired')
  })

  it('is a guess, and a doubt of times, where only a rounded length tells it', async () => {
    const strange = rewritten(plain, [
      ['moov/trak/tkhd', (view, track) => track === 0 && view.setUint32(20, view.getUint32(20) * 1.07)],
      ['moov/trak/edts/elst', (view, track) => track === 0 && view.setUint32(8, view.getUint32(8) * 1.07)],
    ])
    const whole = await movieOf(strange)
    const { bytes, report } = await repaired(headless(strange, 0, 0))
    expect(report.doubts?.map(({ code }) => code)).toContain('times')
    expect(startsOf(await movieOf(bytes))).toEqual(startsOf(whole))
  })
})

describe('the time scale of sound that its length and its configuration tell', () => {
  const FRAMES = 1_000
  /** AAC of 1024 samples a frame at 44,100 Hz, ISO/IEC 14496-3:2019 §1.6.2.1. */
  const config = Uint8Array.of(0x12, 0x10)

  /** What is found of so many seconds of it. */
  function found(seconds: number) {
    const durations = new RunBuilder()
    durations.add(1024, FRAMES)
    const description = { kind: 'audio', codec: 'aac', config, sampleRate: 44_100 }
    const duration = Math.round(seconds * 1000)
    const witnesses = { description, tables: { durations }, edits: undefined, duration, movieScale: 1000 }
    return lostScale(witnesses as unknown as ScaleWitnesses)
  }

  it('is sure where both say the same, and a guess where they contradict each other', () => {
    const ticks = 1024 * FRAMES
    expect(found(ticks / 44_100)).toEqual({ timescale: 44_100, guessed: false })
    expect(found(ticks / 48_000)).toEqual({ timescale: 48_000, guessed: true })
  })

  it('is that of the configuration where less is shown than there is, and no usual one fits', () => {
    expect(found(13.337)).toEqual({ timescale: 44_100, guessed: false })
  })
})
