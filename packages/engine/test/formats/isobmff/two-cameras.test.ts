import { describe, expect, it } from 'vitest'
import { readRecording } from '../../../testing/recordings/read-recording.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { amrTrack, pictureTrack } from '../../../testing/recordings/tracks.ts'
import { writeRecording } from '../../../testing/recordings/write-recording.ts'

/** A recording of two cameras at once, as a device that looks forth and back writes it. */
function recorded(streams: readonly string[], pictures: number): Uint8Array {
  return writeRecording([
    ...streams.map((stream) => pictureTrack(stream, pictures)),
    amrTrack(Math.floor((pictures * 50) / 30), 7),
  ])
}

/** Zeros over the index, which stands at the end. */
function withoutIndex(film: Uint8Array): Uint8Array {
  const damaged = film.slice()
  const { length } = new TextDecoder('latin1').decode(film).split('moov')[0]
  return damaged.fill(0, length - 4)
}

/** Where each picture track's samples lie in the payload, by their first bytes and sizes. */
async function unitsOf(film: Uint8Array): Promise<string[][]> {
  const tracks = await readRecording(film)
  return tracks
    .filter(({ kind }) => kind === 'video')
    .map(({ samples }) =>
      samples.map(({ position, size }) => `${size}:${film.subarray(position, position + size).join()}`),
    )
}

describe('two picture tracks of one codec', () => {
  for (const streams of [
    ['h264-baseline', 'h264-cavlc'],
    ['h264-baseline', 'h264-baseline'],
    ['hevc-p', 'hevc-slices'],
  ])
    it(`gives each its own pictures without an index: ${streams.join(' and ')}`, async () => {
      const film = recorded(streams, 90)
      const { bytes, report, doubts } = await repairRecording(
        withoutIndex(film),
        'mp4',
        recorded(streams, 60),
      )
      expect(await unitsOf(bytes)).toEqual(await unitsOf(film))
      expect([report.verdict, doubts]).toEqual(['repaired', []])
    })

  it('keeps both in time behind a hole', async () => {
    const streams = ['h264-baseline', 'h264-cavlc']
    const film = recorded(streams, 120)
    const damaged = withoutIndex(film)
    const middle = Math.floor(film.length / 2)
    damaged.fill(0, middle, middle + 6000)
    const { bytes } = await repairRecording(damaged, 'mp4', recorded(streams, 60))
    const [whole, mended] = [await readRecording(film), await readRecording(bytes)]
    for (const track of [0, 1]) {
      const last = (tracks: typeof whole): number => tracks[track].samples.at(-1)?.pts ?? 0
      expect(last(mended)).toBeCloseTo(last(whole), 2)
    }
  })
})
