import type { ByteReader } from '../../../bytes/reader.ts'
import { CUES } from '../ids.ts'
import { readCues } from '../read/cues.ts'
import type { Survey } from '../read/survey.ts'

/** Bytes of a Cluster's header: its identifier and the sizes that writers use. */
const HEADER_BYTES = [5, 6, 7, 8, 9, 10, 11, 12]

/**
 * The ticks at which the block at an offset is shown, where Cues that survive say where it lay: no byte may have moved since they were
 * written, which Clusters show that are where they say.
 */
export function cuedTimes(reader: ByteReader, survey: Survey): (offset: number) => number | undefined {
  const [segment] = survey.segments
  const elements = survey.elements.filter(({ id, whole }) => id === CUES && whole)
  if (!segment || elements.length === 0) return () => undefined
  const headed = new Set(survey.runs.filter((run) => run.headed).map(({ offset }) => offset))
  const cues = elements.flatMap((element) => readCues(reader, element))
  const lost = cues.filter(({ cluster, relative }) => relative >= 0 && !headed.has(segment.body + cluster))
  // what moved the Clusters moved their blocks: then no entry can be believed
  if (lost.length * 2 > cues.length) return () => undefined
  const times = new Map<number, number>()
  for (const { cluster, relative, time } of lost)
    for (const bytes of HEADER_BYTES) times.set(segment.body + cluster + bytes + relative, time)
  return (offset) => times.get(offset)
}
