import { describe, expect, it } from 'vitest'
import { movieOf, read, repaired, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes } from './support/movie-boxes.ts'

interface Finished {
  readonly bytes: Uint8Array
  /** Where the media data box begins, and where the fragment in it. */
  readonly media: number
  readonly left: number
}

/** A film whose camera left a fragment in the midst of the media data when it finished the file. */
async function finished(): Promise<Finished> {
  const recorded = fixture('h264-aac-fragmented.mp4')
  const { fragments, movie } = await read(recorded)
  if (!movie) throw new Error('the film has no movie')
  const { offset, end } = fragments[1]
  // with the head of the media data that it was followed by
  const fragment = recorded.subarray(offset, end + 8)
  const plain = {
    ...movie,
    fragmented: false,
    tracks: movie.tracks.map((track) => ({ ...track, extends: undefined })),
  }
  const film = await write(wholePlan(plain), recorded)
  const written = await movieOf(film)
  const places = movie.tracks.flatMap(({ samples }, track) =>
    Array.from({ length: samples.length }, (_, row) => [
      samples.offset[row],
      written.tracks[track].samples.offset[row],
    ]),
  )
  const left = places.find(([place]) => place === end + 8)?.[1] ?? 0
  const bytes = Buffer.concat([film.subarray(0, left), fragment, film.subarray(left)])
  const media = bytes.indexOf('mdat') - 4
  bytes.writeUInt32BE(bytes.readUInt32BE(media) + fragment.length, media)
  for (const { box } of movieBoxes(bytes).filter(({ box: { type } }) => type === 'stco')) {
    const entries = box.offset + 12
    for (let entry = 0; entry < bytes.readUInt32BE(entries); entry++) {
      const at = entries + 4 + entry * 4
      const place = bytes.readUInt32BE(at)
      if (place >= left) bytes.writeUInt32BE(place + fragment.length, at)
    }
  }
  return { bytes, media, left }
}

describe('a fragment that a camera left in the media data of a finished film', () => {
  it('is no part of it where the size of the media data was hit', async () => {
    const { bytes, media, left } = await finished()
    const whole = await movieOf(bytes)
    const counts = (movie: typeof whole): number[] => movie.tracks.map(({ samples }) => samples.length)
    const hit = Buffer.from(bytes)
    hit.writeUInt32BE(left - media, media)
    const { fragments, movie } = await read(hit)
    expect(fragments).toEqual([])
    expect(movie && counts(movie)).toEqual(counts(whole))
    const { report } = await repaired(hit)
    expect(report.verdict).toBe('repaired')
    expect(report.tracks.map(({ recovered }) => recovered)).toEqual(counts(whole))
  })
})
