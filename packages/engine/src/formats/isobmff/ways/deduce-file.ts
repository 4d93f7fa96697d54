import type { Strategies } from '../../../recording/ways.ts'
import type { RepairJob } from '../../format.ts'
import type { Assessment } from '../assess.ts'
import { deduced } from '../findings.ts'
import type { Teacher } from './carve-file.ts'
import { deduceReading } from './deduce-reading.ts'
import { matchFragments } from './match-fragments.ts'

/**
 * Makes the teacher out of the damaged file itself: what its tracks are and how it lays them out, from the payload's own
 * parameter sets, syntax and rhythm. Says in the findings what each fact rests on. Undefined when too little is recognised.
 */
export async function deduceTeacher(
  job: RepairJob,
  assessment: Assessment,
  strategies: Strategies,
): Promise<Teacher | undefined> {
  const { reader } = job.damaged
  const { limits, monitor } = job
  const found = await deduceReading({ reader, limits, monitor }, assessment.reading)
  if (!found) {
    strategies.push({ name: 'deduce', outcome: 'the payload does not tell what its tracks are' })
    return undefined
  }
  const codecs = found.tracks.map(({ description }) => description.codec).join(', ')
  strategies.push({ name: 'deduce', outcome: `tracks described from the payload itself: ${codecs}` })
  if (found.profile) strategies.push({ name: 'profile', outcome: `profile: ${found.profile}` })
  for (const fact of found.facts) assessment.findings.add(deduced(fact.what, fact.by, fact.estimated))
  const { fragments } = assessment.reading
  const matched =
    fragments.length > 0 ? matchFragments(reader, fragments, found, limits.samplesPerTrack) : undefined
  return {
    reader,
    movie: matched?.movie ?? found.movie,
    tracks: found.tracks,
    origin: 'payload',
    unconfirmed: fragments.length === 0 && found.facts.some((fact) => fact.unconfirmed),
    assumed: matched?.level === false || (!matched?.level && found.facts.some((fact) => fact.guessed)),
  }
}
