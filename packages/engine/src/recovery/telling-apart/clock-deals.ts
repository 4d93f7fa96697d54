import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { TrackDescription } from '../../model/track.ts'
import { compared, Likeness } from './likeness.ts'
import { dealtTable } from './sound-runs.ts'

/** Seconds within which two clocks are level: rounding. */
const LEVEL = 1e-9
/** Units of each track that show what its units are like. */
const FEWEST_LESSONS = 8

/**
 * Deals `count` units to tracks, the index of one for each unit: the one that starts soonest comes next, and of those that start
 * at once the first in `order`.
 * @param seconds that a unit of each track lasts
 * @param stand seconds at which each track's first unit starts
 */
export function dealByClocks(
  count: number,
  seconds: readonly number[],
  stand: readonly number[],
  order: readonly number[],
): Uint8Array {
  const clocks = [...stand]
  const which = new Uint8Array(count)
  for (let unit = 0; unit < count; unit++) {
    let [track] = order
    for (const other of order) if (clocks[other] < clocks[track] - LEVEL) track = other
    which[unit] = track
    clocks[track] += seconds[track]
  }
  return which
}

/** Units of tracks that look alike, and what the tracks are. */
export interface AlikeUnits {
  readonly reader: ByteReader
  readonly units: readonly Region[]
  readonly descriptions: readonly TrackDescription[]
  /** What each track's units are like, where that is known; else it is learned from those dealt to it. */
  readonly likenesses?: readonly Likeness[]
}

/**
 * Bits by which one deal is likelier than another: by the units that they give to different tracks. Where it is not known what
 * each track's are like, those show it that both give it; 0 where these are too few.
 */
export function likelier(alike: AlikeUnits, one: Uint8Array, other: Uint8Array): number {
  const agreed = one.map((track, unit) => (track === other[unit] ? track : NO_TRACK))
  const likenesses = likenessesOf(alike, agreed)
  if (!likenesses) return 0
  let sum = 0
  for (const [unit, { offset, length }] of alike.units.entries()) {
    if (agreed[unit] !== NO_TRACK) continue
    const bits = compared(likenesses, alike.reader, offset, length)
    sum += bits[one[unit]] - bits[other[unit]]
  }
  return sum
}

const NO_TRACK = 255

/** Bits, in the mean, by which units are rather like those of the track that they are dealt to than of any other. */
export function purity(alike: AlikeUnits, which: Uint8Array): number {
  const likenesses = likenessesOf(alike, which)
  if (!likenesses) return 0
  let sum = 0
  for (const [unit, { offset, length }] of alike.units.entries()) {
    const bits = compared(likenesses, alike.reader, offset, length)
    const own = bits[which[unit]]
    sum += own - Math.max(...bits.filter((_, track) => track !== which[unit]))
  }
  return sum / Math.max(1, alike.units.length)
}

function likenessesOf(
  { reader, units, descriptions, likenesses }: AlikeUnits,
  which: Uint8Array,
): readonly Likeness[] | undefined {
  if (likenesses) return likenesses
  const tables = descriptions.map((_, track) => dealtTable(unitsOf(units, which, track), 1))
  if (tables.some(({ length }) => length < FEWEST_LESSONS)) return undefined
  return descriptions.map((description, track) => new Likeness(reader, { description, table: tables[track] }))
}

/** The units that are dealt to a track. */
export function unitsOf(units: readonly Region[], which: Uint8Array, track: number): Region[] {
  return units.filter((_, unit) => which[unit] === track)
}
