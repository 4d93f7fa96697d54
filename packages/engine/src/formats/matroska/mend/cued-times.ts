import type { ByteReader } from '../../../bytes/reader.ts'
import { countBelow } from '../../../model/bisect.ts'
import { CUES } from '../ids.ts'
import { type Cue, readCues } from '../read/cues.ts'
import type { Run, Survey } from '../read/survey.ts'

/** What Cues that survive tell of Clusters whose header does not. */
export interface CuedTimes {
  /** Ticks of the last Cluster that lay in [from, to), undefined where none is known to. */
  clusterIn(from: number, to: number): number | undefined
}

/** Bytes of a sum and a Timestamp: a block no farther than this behind a Cluster's header is its first. */
const FIRST_BLOCK = 24
/** Share of the Clusters whose first block must be shown at their very time for the next one's to be, too. */
const USUAL = 0.9

/**
 * Reads Cues for Clusters that are lost. Their positions hold where those of Clusters nearby do, or are off as those are. An
 * entry tells a Cluster's time where it names its first block, and Clusters of this file begin when their first block is shown.
 */
export function cuedTimes(reader: ByteReader, survey: Survey): CuedTimes {
  const { segment } = survey
  const elements = survey.elements.filter(({ id, whole }) => id === CUES && whole)
  const none: CuedTimes = { clusterIn: () => undefined }
  if (!segment || elements.length === 0 || !startsAtFirst(survey)) return none
  const places = shifts(
    survey,
    segment.body,
    elements.flatMap((element) => readCues(reader, element)),
  )
  const offsets = Float64Array.from(places, ({ offset }) => offset)
  return {
    clusterIn: (from, to) => {
      const last = places[countBelow(offsets, to) - 1]
      return last !== undefined && last.offset >= from ? last.time : undefined
    },
  }
}

/** Whether Clusters say as their time that of their first block. */
function startsAtFirst({ runs, blocks }: Survey): boolean {
  const known = runs.filter(
    ({ headed, time, endRow, firstRow }) => headed && time !== undefined && endRow > firstRow,
  )
  const usual = known.filter(({ firstRow }) => blocks.relative[firstRow] === 0)
  return known.length > 0 && usual.length >= known.length * USUAL
}

/** Where the Clusters lay that are named but not found, in file order. */
function shifts(survey: Survey, body: number, cues: readonly Cue[]): { offset: number; time: number }[] {
  const byTime = new Map<number, Run>()
  for (const run of survey.runs) if (run.headed && run.time !== undefined) byTime.set(run.time, run)
  const places: { offset: number; time: number }[] = []
  let shift = 0
  const waiting: Cue[] = []
  const settle = (other: number): void => {
    for (const { cluster, time } of waiting.splice(0)) {
      places.push({ offset: body + cluster + shift, time })
      if (other !== shift) places.push({ offset: body + cluster + other, time })
    }
    shift = other
  }
  for (const cue of [...cues].sort((a, b) => a.cluster - b.cluster)) {
    if (cue.relative > FIRST_BLOCK) continue
    const run = byTime.get(cue.time)
    if (run) settle(run.offset - body - cue.cluster)
    else waiting.push(cue)
  }
  settle(shift)
  return places.sort((a, b) => a.offset - b.offset)
}
