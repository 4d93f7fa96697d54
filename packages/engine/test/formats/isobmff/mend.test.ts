import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { bodyOf } from '../../../src/syntax/iso-boxes/box.ts'
import { diagnosed, movieOf, read, repaired } from './support/engine.ts'
import { FIXTURES, type FixtureName, fixture } from './support/fixtures.ts'
import { CONTAINERS, flipped, movieBoxes, places, times } from './support/movie-boxes.ts'

const INDEXED = FIXTURES.filter((name) => !name.includes('fragmented'))

/** Numbers from 0 on that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What each sample of a track is. */
function contents(bytes: Uint8Array, { samples }: MovieTrack): string[] {
  return Array.from({ length: samples.length }, (_, row) =>
    createHash('md5')
      .update(bytes.subarray(samples.offset[row], samples.offset[row] + samples.size[row]))
      .digest('hex'),
  )
}

describe.each(INDEXED)('one flipped bit in the movie box of %s', (name: FixtureName) => {
  const healthy = fixture(name)
  const boxes = movieBoxes(healthy)

  it('in the size or the type of a box changes nothing that is read', async () => {
    const whole = await movieOf(healthy)
    const pick = numbers(1)
    const vital = boxes.filter(({ box }) =>
      /^(trak|mdia|minf|stbl|tkhd|mdhd|mvhd|hdlr|stsd|stts|stsc|stsz|stco)$/.test(box.type),
    )
    for (const { path, box } of vital) {
      for (const bit of [pick(32), 32 + pick(32)]) {
        const movie = await movieOf(flipped(healthy, box.offset + (bit >> 3), bit & 7))
        const message = `${path}, bit ${bit}`
        expect(movie.tracks.map(places), message).toEqual(whole.tracks.map(places))
        expect(movie.tracks.map(times), message).toEqual(whole.tracks.map(times))
      }
    }
  })

  it('and more, until nothing is left of the type of a container, are mended by what it holds', async () => {
    const whole = await movieOf(healthy)
    for (const { path, box } of boxes.filter(({ box: { type } }) => CONTAINERS.has(type))) {
      for (const type of [
        [0, 0, 0, 0],
        [0x51, 0x7a, 0x37, 0x6b],
        [0xff, 0x00, 0xa7, 0x13],
      ]) {
        const damaged = healthy.slice()
        damaged.set(type, box.offset + 4)
        const { movie, findings } = await read(damaged)
        expect(findings.healthy, path).toBe(false)
        expect(movie?.tracks.map(places), path).toEqual(whole.tracks.map(places))
        expect(movie?.tracks.map(times), path).toEqual(whole.tracks.map(times))
      }
    }
  })

  it('in the size of a track does not make boxes of the movie of what the next one holds', async () => {
    const whole = await movieOf(healthy)
    for (const { path, box } of boxes.filter((one) => one.box.type === 'trak')) {
      for (let bit = 0; bit < 8; bit++) {
        const movie = await movieOf(flipped(healthy, box.offset + 3, bit))
        expect(movie.tracks.map(places), `${path}, bit ${bit}`).toEqual(whole.tracks.map(places))
        expect(movie.boxes, `${path}, bit ${bit}`).toEqual(whole.boxes)
      }
    }
  })

  it('in a chunk offset, a number of samples or a size leaves every sample where it is', async () => {
    const whole = (await movieOf(healthy)).tracks.map((track) => contents(healthy, track))
    const pick = numbers(2)
    const tables = boxes.filter(
      ({ box }) => (box.type === 'stco' || box.type === 'stsz') && box.size > 16 + 4 * 4,
    )
    for (const { path, box } of tables) {
      for (let tries = 0; tries < 12; tries++) {
        // The last chunk has no neighbour that shows where it ends.
        const at = bodyOf(box) + 12 + pick(Math.floor((box.size - 20) * 0.7))
        const damaged = flipped(healthy, at, pick(8))
        const { report, bytes } = await repaired(damaged)
        const message = `${path}, byte ${at - box.offset}, ${report.verdict}`
        // a bit that no sample depends on is no damage
        const result = report.verdict === 'healthy' ? damaged : bytes
        const { tracks } = await movieOf(result)
        expect(
          tracks.map((track) => contents(result, track)),
          message,
        ).toEqual(whole)
      }
    }
  }, 60_000)
})

describe('many flipped bits', () => {
  it.each(['h264-aac.mp4', 'hevc-aac.mp4', 'h264-two-aac.mov'] as const)(
    'in the tables of %s cost no sample and no time',
    async (name) => {
      const healthy = fixture(name)
      const whole = await movieOf(healthy)
      const tables = movieBoxes(healthy).filter(({ box }) => /^(stts|ctts|stsz|stco)$/.test(box.type))
      for (let seed = 1; seed <= 4; seed++) {
        const pick = numbers(seed)
        const damaged = healthy.slice()
        for (const { box } of tables) {
          const room = box.size - 20
          if (room >= 16) damaged[bodyOf(box) + 12 + pick(Math.floor(room * 0.7))] ^= 1 << pick(8)
        }
        const { movie, findings } = await read(damaged)
        expect(findings.has('isobmff.table-mended')).toBe(true)
        const same = movie?.tracks.map((track, i) => {
          const expected = [places(whole.tracks[i]), times(whole.tracks[i])]
          const found = [places(track), times(track)]
          return found.map((list, kind) => list.filter((entry, row) => entry === expected[kind][row]).length)
        })
        expect(same, `seed ${seed}`).toEqual(
          whole.tracks.map(({ samples }) => [samples.length, samples.length]),
        )
      }
    },
  )
})

describe('composition offsets', () => {
  it('that could be mended otherwise as well follow the order of the bitstream', async () => {
    const healthy = fixture('h264-aac.mp4')
    const whole = await movieOf(healthy)
    const boxes = movieBoxes(healthy)
    const found = boxes.find(({ path }) => path.endsWith('/ctts'))
    const other = boxes.find(({ path }) => path.endsWith('/vmhd'))
    if (!found || !other) throw new Error('no composition offsets')
    // the movie box is hit elsewhere, too
    const damaged = flipped(healthy, other.box.offset + 7, 1)
    const view = new DataView(damaged.buffer, damaged.byteOffset)
    const entries = found.box.offset + 16
    // a picture at no time that is one, and two at the next one's and its own
    for (const [run, bits] of [
      [1, 32],
      [2, 1024],
    ]) {
      const at = entries + run * 8 + 4
      view.setUint32(at, view.getUint32(at) ^ bits)
    }
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    const [pictures] = (await movieOf(bytes)).tracks
    expect(times(pictures)).toEqual(times(whole.tracks[0]))
  })
})

describe('a healthy movie box', () => {
  it.each(FIXTURES)('of %s is read as it is', async (name) => {
    const { findings, healthy } = await diagnosed(fixture(name))
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(healthy).toBe(true)
  })
})
