import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { plainInterleave } from '../../../src/recovery/learning/plain-interleave.ts'
import { dealByClocks, likelier, purity, unitsOf } from '../../../src/recovery/telling-apart/clock-deals.ts'
import type { Likeness } from '../../../src/recovery/telling-apart/likeness.ts'

describe('units dealt by clocks', () => {
  it('go to the track that starts soonest, and of those that start at once to the first in order', () => {
    const tracks = fc.array(fc.record({ ticks: fc.integer({ min: 1, max: 6 }), stand: fc.nat(8) }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(tracks, fc.nat(40), fc.nat(), (all, count, turn) => {
        // whole ticks, so that clocks are often level
        const order = all.map((_, i) => (i + turn) % all.length)
        const which = dealByClocks(
          count,
          all.map(({ ticks }) => ticks / 50),
          all.map(({ stand }) => stand / 50),
          order,
        )
        const clocks = all.map(({ stand }) => stand)
        const wanted = Array.from({ length: count }, () => {
          const soonest = Math.min(...clocks)
          const track = order.find((each) => clocks[each] === soonest) ?? -1
          clocks[track] += all[track].ticks
          return track
        })
        expect([...which]).toEqual(wanted)
      }),
    )
  })
})

const reader = new ByteReader(new MemorySource(new Uint8Array(400)))
const units = Array.from({ length: 40 }, (_, i) => ({ offset: i * 10, length: 5 }))
const descriptions = [{ codec: 'aac' }, { codec: 'aac' }] as unknown as TrackDescription[]

/** Tracks of which the first's units lie at even places, the other's at odd ones; each shows it by so many bits. */
function known(own: number, others: number) {
  const likenesses = [0, 1].map((track) => ({
    bits: (_: ByteReader, offset: number) => ((offset / 10) % 2 === track ? own : others),
  }))
  return { reader, units, descriptions, likenesses: likenesses as unknown as Likeness[] }
}

const RIGHT = Uint8Array.from(units, (_, i) => i % 2)

describe('a deal', () => {
  it('is pure by how much more its units are like their own track’s than another’s', () => {
    const alike = known(3, 1)
    const [pure, foul] = [
      purity(alike, RIGHT),
      purity(
        alike,
        RIGHT.map((track) => 1 - track),
      ),
    ]
    expect(pure).toBeGreaterThan(0)
    expect(foul).toBeCloseTo(-pure, 9)
    expect(purity(alike, new Uint8Array(40))).toBeCloseTo(0, 9)
    expect(purity({ ...alike, units: [] }, new Uint8Array(0))).toBe(0)
  })

  it('is likelier than another by the units that they give to different tracks, and by none of the others', () => {
    const alike = known(3, 1)
    const swapped = (count: number) => RIGHT.map((track, i) => (i < count ? 1 - track : track))
    const one = likelier(alike, RIGHT, swapped(1))
    expect(one).toBeGreaterThan(0)
    for (const count of [0, 2, 7, 40])
      expect(likelier(alike, RIGHT, swapped(count))).toBeCloseTo(one * count, 9)
    expect(likelier(alike, swapped(3), RIGHT)).toBeCloseTo(-3 * one, 9)
  })

  it('of units of which too few are agreed on tells nothing', () => {
    const { likenesses: _, ...unknown } = known(3, 1)
    const few = units.map((_, i) => (i < 15 ? i % 2 : 0))
    expect(purity({ ...unknown, units }, Uint8Array.from(few))).toBe(0)
    expect(
      likelier(
        { ...unknown, units },
        RIGHT,
        RIGHT.map((track, i) => (i < 26 ? 1 - track : track)),
      ),
    ).toBe(0)
  })

  it('gives each track its units in their order', () => {
    expect(unitsOf(units, RIGHT, 1).map(({ offset }) => offset)).toEqual(
      units.filter((_, i) => i % 2).map(({ offset }) => offset),
    )
  })
})

it('of a recording that nobody has seen nothing is assumed but its units’ durations', () => {
  const track = (kind: string, unit: number) => ({ description: { kind } as TrackDescription, unit })
  const { lanes, ...rest } = plainInterleave([track('audio', 1024), track('data', 0), track('video', 512)])
  expect(lanes.map(({ unitDuration }) => unitDuration)).toEqual([1024, 0, 512])
  for (const { unitDuration: _, ...lane } of lanes)
    expect(lane).toEqual({
      ...{ constantRate: true, steady: true, jitter: 0, unitBytes: 0, constantUnitBytes: 0, byteRate: 0 },
      ...{ runUnits: 1, prefix: new Uint8Array(0), firstCts: 0 },
    })
  expect(rest).toEqual({
    ...{
      patterns: [],
      lead: [0, 0, 0],
      spread: [0, 0, 0],
      reference: 2,
      filler: 0,
      sound: 0,
      lag: undefined,
    },
  })
  expect(plainInterleave([track('audio', 1)])).toMatchObject({ reference: 0, sound: 0 })
})
