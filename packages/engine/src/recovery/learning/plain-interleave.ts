import type { TrackDescription } from '../../model/track.ts'
import type { Interleave } from './learn.ts'

const NONE = new Uint8Array(0)

/**
 * What is assumed of a recording that nobody has seen: units of the given durations (ticks of each track's timescale, 0
 * when unknown) at a constant rate, no habits. What its own bytes show is learned from a first look, see `learn`.
 */
export function plainInterleave(
  tracks: readonly { readonly description: TrackDescription; readonly unit: number }[],
): Interleave {
  const reference = Math.max(
    0,
    tracks.findIndex(({ description }) => description.kind === 'video'),
  )
  return {
    lanes: tracks.map(({ unit }) => ({
      unitDuration: unit,
      constantRate: true,
      steady: true,
      jitter: 0,
      unitBytes: 0,
      constantUnitBytes: 0,
      byteRate: 0,
      runUnits: 1,
      prefix: NONE,
      firstCts: 0,
    })),
    patterns: [],
    lead: tracks.map(() => 0),
    spread: tracks.map(() => 0),
    reference,
    filler: 0,
    sound: tracks.findIndex(({ description }) => description.kind === 'audio'),
    lag: undefined,
  }
}
