import type { TrackKind } from '../../model/report.ts'

/** Kinds of tracks that a player shows: others may be left out without a doubt. */
const SHOWN: readonly TrackKind[] = ['video', 'audio']

/** True for kinds whose tracks a viewer misses. */
export function isShown(kind: TrackKind): boolean {
  return SHOWN.includes(kind)
}

/** True when something was found of each track of pictures and sound that a file's own index names; by the kinds of both. */
export function findsAll(named: readonly TrackKind[], found: readonly TrackKind[]): boolean {
  const count = (kinds: readonly TrackKind[], kind: TrackKind): number =>
    kinds.filter((one) => one === kind).length
  return SHOWN.every((kind) => count(named, kind) <= count(found, kind))
}
