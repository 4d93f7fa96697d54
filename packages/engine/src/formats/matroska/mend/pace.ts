import type { Survey } from '../read/survey.ts'
import type { MatroskaTrack } from '../read/track.ts'

/** Runs that a track's pace is taken from. */
const RUNS = 64
/** Blocks of a run that are looked at: more than a Cluster's times have room for, but for hundreds of tracks. */
const BLOCKS_A_RUN = 1 << 16
/** Distances within this of the usual one belong to it. */
const NEAR = 0.4
/**
 * Share of a pace by which a block of a steady track may be off, and share of its blocks that keep to it: where one in thirty
 * comes late, as on a screen that stands still, the one at a border may, too.
 */
const OFF = 0.75
const STEADY = 0.99
/** Blocks at either end of a run that are not looked at for that: a gap may have taken pictures that are shown between them. */
const ENDS = 4

/** How a track goes on: the usual ticks from one block to the next in display order, 0 where nothing tells. */
export type Paces = ReadonlyMap<number, number>

/**
 * The paces of all tracks, by the blocks of runs whose bytes are whole; `scale` in nanoseconds a tick. Text has none: it comes
 * when something is said.
 */
export function pacesOf(survey: Survey, tracks: readonly MatroskaTrack[], scale: number): Paces {
  const paces = new Map<number, number>()
  const texts = new Set(
    tracks.filter(({ description }) => description.kind === 'text').map(({ number }) => number),
  )
  for (const [track, list] of distancesOf(survey)) if (!texts.has(track)) paces.set(track, usual(list))
  for (const { number, defaultDuration } of tracks)
    if (!paces.get(number) && defaultDuration > 0) paces.set(number, defaultDuration / scale)
  return paces
}

/**
 * Tracks whose blocks keep to their pace, so that it tells when the next one is due: not pictures of any rate, as browsers record
 * them.
 */
export function steadyTracks(survey: Survey, paces: Paces): ReadonlySet<number> {
  const distances = distancesOf(survey, ENDS)
  const steady = new Set<number>()
  for (const [track, pace] of paces) {
    const list = distances.get(track) ?? []
    const kept = list.filter((distance) => Math.abs(distance - pace) <= pace * OFF)
    if (kept.length >= list.length * STEADY) steady.add(track)
  }
  return steady
}

/** Ticks from one block of a track to the next, within runs; without `ends` of them at either end of those that have many. */
function distancesOf(survey: Survey, ends = 0): Map<number, number[]> {
  const distances = new Map<number, number[]>()
  const { blocks } = survey
  const runs = survey.runs.filter(({ firstRow, endRow }) => endRow - firstRow > 1).slice(0, RUNS)
  for (const { firstRow, endRow } of runs) {
    const times = new Map<number, number[]>()
    for (let row = firstRow; row < Math.min(endRow, firstRow + BLOCKS_A_RUN); row++) {
      const list = times.get(blocks.track[row])
      if (list) list.push(blocks.relative[row])
      else times.set(blocks.track[row], [blocks.relative[row]])
    }
    for (const [track, list] of times) {
      list.sort((a, b) => a - b)
      const known = distances.get(track) ?? []
      const left = list.length > ends * 4 ? ends : 0
      for (let i = 1 + left; i < list.length - left; i++)
        if (list[i] > list[i - 1]) known.push(list[i] - list[i - 1])
      distances.set(track, known)
    }
  }
  return distances
}

/** The mean of what lies near the middle one. */
function usual(distances: number[]): number {
  if (distances.length === 0) return 0
  distances.sort((a, b) => a - b)
  const middle = distances[distances.length >> 1]
  const near = distances.filter((distance) => Math.abs(distance - middle) <= Math.max(1, middle * NEAR))
  return near.reduce((sum, distance) => sum + distance, 0) / near.length
}
