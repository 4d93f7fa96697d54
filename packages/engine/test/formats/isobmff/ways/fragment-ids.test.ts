import { describe, expect, it } from 'vitest'
import { defaultsOf, idsByContent } from '../../../../src/formats/isobmff/ways/index/fragment-ids.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'
import { movieOf, read, readerOf, repaired } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'
import { recovered, seen } from '../support/packets.ts'

const film = fixture('h264-aac-fragmented.mp4')
const sample = await movieOf(fixture('h264-aac-twin.mp4'))
const { fragments } = await read(film)

/** The film with the ids that its fragments speak of changed. */
function renamed(ids: Readonly<Record<number, number>>, withoutMovie = false): Uint8Array {
  const bytes = Buffer.from(film)
  for (let at = bytes.indexOf('tfhd'); at >= 0; at = bytes.indexOf('tfhd', at + 4))
    bytes.writeUInt32BE(ids[bytes.readUInt32BE(at + 8)], at + 8)
  const movie = bytes.indexOf('moov') - 4
  if (withoutMovie) bytes.fill(0, movie, movie + bytes.readUInt32BE(movie))
  return new Uint8Array(bytes)
}

const idsIn = (bytes: Uint8Array, tracks = sample.tracks): readonly number[] =>
  idsByContent(readerOf(bytes), fragments, tracks, 1000)

describe('tracks of fragments without their movie box', () => {
  it('are matched to those of a sample by what they hold', () => {
    expect(idsIn(film)).toEqual([1, 2])
    expect(idsIn(renamed({ 1: 2, 2: 1 }))).toEqual([2, 1])
    expect(idsIn(renamed({ 1: 7, 2: 1 }))).toEqual([7, 1])
    expect(idsIn(renamed({ 1: 9, 2: 8 }))).toEqual([9, 8])
  })

  it('are matched by number, or by place, where what they hold is none that is known', () => {
    const unread = sample.tracks.map((track) => ({
      ...track,
      description: { ...track.description, codec: 'unread', framing: 'raw' as const },
    }))
    expect(idsIn(renamed({ 1: 2, 2: 1 }), unread)).toEqual([1, 2])
    expect(idsIn(renamed({ 1: 9, 2: 8 }), unread)).toEqual([9, 8])
  })

  it('come back whole under whatever numbers', async () => {
    const { bytes } = await repaired(renamed({ 1: 2, 2: 1 }, true), fixture('h264-aac-twin.mp4'))
    const found = await seen(bytes)
    for (const stream of await seen(film)) {
      const twin = found.find(({ kind }) => kind === stream.kind)
      const all = stream.packets.length
      expect(recovered(stream, twin)).toMatchObject({ packets: all, timed: all })
    }
  })
})

describe('what fragments leave unsaid', () => {
  const [track] = sample.tracks
  const withDurations = (...durations: readonly number[]) => {
    const samples = new SampleTable()
    for (const [row, duration] of durations.entries()) samples.push(row, 1, 1, duration, row, 0)
    return { ...track, samples }
  }

  it('is as most samples of a recording without fragments are', () => {
    expect(defaultsOf(withDurations(512, 512, 700)).duration).toBe(512)
    const told = { track: 1, description: 1, duration: 900, size: 0, flags: 0 }
    expect(defaultsOf({ ...withDurations(512), extends: told })).toBe(told)
  })
})
