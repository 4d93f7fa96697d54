import { DOUBT, type Doubt, distinctDoubts } from '../../model/doubt.ts'
import type { TrackReport } from '../../model/report.ts'
import { isShown } from './found-tracks.ts'

/** One damaged unit is a hit; where it is all of several, they were looked for in the wrong places. */
const SEVERAL = 2

interface Judged {
  readonly verdict: 'healthy' | 'repaired' | 'partial' | 'unrepairable'
  readonly tracks: readonly TrackReport[]
  readonly doubts?: readonly Doubt[]
}

/** The outcome of a repair, in doubt where a track of pictures or sound has several units and none of them is whole. */
export function doubtingTornTracks<Outcome extends Judged>(outcome: Outcome): Outcome {
  const isWritten = outcome.verdict === 'repaired' || outcome.verdict === 'partial'
  const isTorn = outcome.tracks.some(
    ({ kind, recovered, damaged }) => isShown(kind) && recovered === 0 && damaged >= SEVERAL,
  )
  if (!isWritten || !isTorn) return outcome
  return {
    ...outcome,
    verdict: 'partial',
    doubts: distinctDoubts([...(outcome.doubts ?? []), DOUBT.noneWhole]),
  }
}
