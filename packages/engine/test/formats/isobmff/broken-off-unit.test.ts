import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { BrokenOffUnits } from '../../../src/recording/judge/broken-off-unit.ts'
import { trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { prior } from '../../recovery/lanes.ts'
import { movieOf, readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const film = fixture('hevc-aac.mp4')
const movie = await movieOf(film)
const tracks = movie.tracks.map(({ description, samples }) => ({
  description,
  table: samples,
  times: { startDelay: 0, compositionShift: 0, losses: [], estimated: false, untimed: false },
  prior: prior(1, 0),
}))
const [pictures, sound] = movie.tracks.map(({ samples }) => samples)
const ZEROS = 4096

/** The first bytes of rows of a track's samples, and zeros. */
function firstOf(table: typeof pictures, row: number, bytes: number): Uint8Array {
  const at = table.offset[row]
  return Uint8Array.from([...film.subarray(at, at + bytes), ...new Uint8Array(ZEROS)])
}

function torn(bytes: Uint8Array, front: number): boolean {
  return new BrokenOffUnits(readerOf(bytes), tracks).isTorn({ offset: 0, length: front })
}

describe('bytes before damage', () => {
  it('are part of a picture where its length leads into the damage', () => {
    const half = pictures.size[0] >> 1
    expect(torn(firstOf(pictures, 0, half), half)).toBe(true)
  })

  it.each([3, 9, 20])('are part of packet %i of sound where it does not end before it', (row) => {
    const half = sound.size[row] >> 1
    expect(torn(firstOf(sound, row, half), half)).toBe(true)
  })

  it.each([3, 9, 20])('are more than part of packet %i of sound where that is whole', (row) => {
    const front = sound.size[row]
    expect(torn(firstOf(sound, row, front), front)).toBe(false)
  })

  it('are more than part of a unit where they are longer than any, and no lengths lead through them', () => {
    const largest = Math.max(
      ...[pictures, sound].flatMap(({ size, length }) => [...size.subarray(0, length)]),
    )
    const bytes = new Uint8Array(largest + 1).fill(0x80)
    expect(torn(bytes, bytes.length)).toBe(false)
  })

  it('are a unit that lost bytes where its length leads beyond them, and only where units have one', () => {
    const half = pictures.size[0] >> 1
    const bytes = readerOf(firstOf(pictures, 0, half))
    expect(new BrokenOffUnits(bytes, tracks).isCutShort({ offset: 0, length: half })).toBe(true)
    const packet = sound.size[3] >> 1
    const heard = readerOf(firstOf(sound, 3, packet))
    expect(new BrokenOffUnits(heard, tracks).isCutShort({ offset: 0, length: packet })).toBe(false)
  })
})

describe('pictures of AV1 before bytes of another kind', () => {
  const { bytes, packets } = streamFixture('av1')
  const [key] = packets
  const description = trackOf(streamFixture('av1'), 'raw')
  const table = new SampleTable()
  table.push(0, key.size, 1, 1, 0, 0)
  const film = [{ ...tracks[0], description, table }]
  const shown = [packets[3], packets[9]].map(({ offset, size }) => bytes.subarray(offset, offset + size))
  const noise = Array.from({ length: 100 }, (_, i) => (i * 57 + 31) & 255)

  it('are more than part of one where two follow each other, of which each alone shows little', () => {
    const rest = Uint8Array.from([...shown[0], ...shown[1], ...noise])
    expect(rest.length).toBeLessThan(key.size)
    expect(new BrokenOffUnits(readerOf(rest), film).isTorn({ offset: 0, length: rest.length })).toBe(false)
  })

  it('are part of one where its length leads beyond them', () => {
    const half = key.size >> 1
    const rest = bytes.subarray(key.offset, key.offset + half)
    expect(new BrokenOffUnits(readerOf(rest), film).isTorn({ offset: 0, length: half })).toBe(true)
  })
})
