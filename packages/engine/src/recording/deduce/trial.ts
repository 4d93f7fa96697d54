import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { Monitor } from '../../model/monitor.ts'
import { SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'
import { type Carved, carve } from '../../recovery/carve.ts'
import type { Interleave } from '../../recovery/learning/learn.ts'
import { plainInterleave } from '../../recovery/learning/plain-interleave.ts'
import type { Draft, DraftFamily } from '../draft.ts'
import { bytesIn } from '../ways.ts'

/** The damaged bytes and how to behave while reading them. */
export interface Place {
  readonly reader: ByteReader
  readonly limits: Limits
  readonly monitor: Monitor
}

/** Where drafts are tried. */
export interface Ground extends Place {
  /** What the damaged file's family makes of drafts. */
  readonly family: DraftFamily
}

/** What a draft made of some payload. */
export interface Trial {
  readonly draft: Draft
  /** The draft's tracks as its family describes them. */
  readonly descriptions: readonly TrackDescription[]
  readonly carved: Carved
  /** Bytes tried. */
  readonly bytes: number
  /** Of those, bytes in units of each track. */
  readonly covered: readonly number[]
}

/**
 * Recovers what a draft's tracks find in the regions; undefined when the draft makes no recording. `seen` are units of the same
 * file found before, by track, to learn the encoders' habits from; `filler` the bytes that usually lie between units and belong
 * to no track of the draft.
 */
export async function tryDraft(
  ground: Ground,
  regions: readonly Region[],
  draft: Draft,
  seen: readonly (SampleTable | undefined)[] = [],
  interleave?: Interleave,
  filler = 0,
): Promise<Trial | undefined> {
  const descriptions = ground.family.describe(draft)
  if (!descriptions) return undefined
  const tracks = descriptions.map((description, i) => ({
    description,
    table: seen[i] ?? new SampleTable(1),
    unit: draft.tracks[i].unit,
  }))
  const carved = await carve({
    reader: ground.reader,
    regions,
    sample: {
      reader: ground.reader,
      tracks,
      interleave: interleave ?? { ...plainInterleave(tracks), filler },
    },
    limits: ground.limits,
    monitor: { progress: () => {}, pause: () => ground.monitor.pause() },
  })
  const bytes = regions.reduce((sum, region) => sum + region.length, 0)
  return { draft, descriptions, carved, bytes, covered: carved.tracks.map(({ table }) => bytesIn([table])) }
}

/** Bytes in units of all tracks. */
export function explained(trial: Trial): number {
  return trial.covered.reduce((sum, bytes) => sum + bytes, 0)
}
