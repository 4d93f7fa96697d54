import type { Segment } from '../../../syntax/jpeg-markers/segments.ts'
import type { Salvage } from '../mend/salvage.ts'
import { keptSegments } from '../read/app-segments.ts'

/** What a rebuilt header keeps of the old one in front of its tables. */
export interface RebuiltHeader {
  readonly kept: readonly Uint8Array[]
  readonly segments: readonly Segment[]
  /** Nothing but tables, frame and scan headers was damaged. */
  readonly whole: boolean
}

/** Application data and comments in front of the first of the picture's own segments, or of its data. */
export function rebuildHeader(bytes: Uint8Array, { segments, start }: Salvage): RebuiltHeader {
  const to = Math.min(start, segments[0]?.offset ?? start)
  const { bytes: kept, segments: own, whole } = keptSegments(bytes, 0, to)
  return { kept, segments: own, whole }
}
