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
    extended: [],
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
  return { ...withLeft(film, left, fragment), left }
}

/** A film with bytes in the midst of its media data that its index does not name. */
function withLeft(film: Uint8Array, left: number, bytesLeft: Uint8Array): Pick<Finished, 'bytes' | 'media'> {
  const bytes = Buffer.concat([film.subarray(0, left), bytesLeft, film.subarray(left)])
  const media = bytes.indexOf('mdat') - 4
  bytes.writeUInt32BE(bytes.readUInt32BE(media) + bytesLeft.length, media)
  for (const { box } of movieBoxes(bytes).filter(({ box: { type } }) => type === 'stco')) {
    const entries = box.offset + 12
    for (let entry = 0; entry < bytes.readUInt32BE(entries); entry++) {
      const at = entries + 4 + entry * 4
      const place = bytes.readUInt32BE(at)
      if (place >= left) bytes.writeUInt32BE(place + bytesLeft.length, at)
    }
  }
  return { bytes, media }
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

describe('a movie box that a recorder renamed when it finished the film', () => {
  it('is no plain sound where the index of the sound is lost', async () => {
    const film = fixture('h264-pcm.mov')
    const { tracks } = await movieOf(film)
    const [pictures] = tracks
    const spent = Buffer.from(film.subarray(Buffer.from(film).indexOf('moov') - 4))
    spent.write('hoov', 4, 'latin1')
    const goesOn = Buffer.from('00000008776964650000ffff6d646174', 'hex')
    // in front of pictures behind sound
    const left = pictures.samples.offset[33]
    const { bytes } = withLeft(film, left, Buffer.concat([spent, goesOn]))
    const tables = movieBoxes(bytes).findLast(({ box: { type } }) => type === 'stbl')
    if (!tables) throw new Error('the film has no tables')
    const { report } = await repaired(bytes.subarray(0, tables.box.offset), film)
    expect(report.verdict).toBe('repaired')
    expect(report.tracks.map(({ recovered }) => recovered)).toEqual(
      tracks.map(({ samples: { count, length } }) =>
        count.subarray(0, length).reduce((sum, each) => sum + each),
      ),
    )
  })
})
