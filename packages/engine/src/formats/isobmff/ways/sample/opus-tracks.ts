import { firstPayload } from '../../../../recording/deduce/places-to-look.ts'
import type { Strategies } from '../../../../recording/ways.ts'
import type { Carved } from '../../../../recovery/carve.ts'
import type { RepairJob } from '../../../format.ts'
import type { Assessment } from '../../assess.ts'
import { absentTrack } from '../../findings.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { Teacher } from '../carve-file.ts'
import { carveLike } from './first-look.ts'

/** Payload that is looked at. */
const LOOK_BYTES = 3 << 20
/** Times as many pictures that are found without a sample's further tracks of sound show that the file has none of them. */
const MANY_MORE = 1.5

/**
 * The sample with the first of its tracks of Opus alone, where so much more is found: packets that carry no length are read
 * together with the pictures around them, and those of a second track, which nobody can tell apart, hide the pictures.
 */
export async function withOneUnframed(
  job: RepairJob,
  assessment: Assessment,
  sample: Teacher,
  strategies: Strategies,
): Promise<Teacher> {
  const [first, ...more] = sample.tracks.filter(({ description }) => description.codec === 'opus')
  if (!first || more.length === 0) return sample
  const { limits, monitor } = job
  const { reader } = job.damaged
  const ground = { reader, limits, monitor }
  const near = firstPayload(reader, assessment.reading.survey.payload, LOOK_BYTES)
  const alone = withoutTracks(sample, more)
  const found = picturesIn(await carveLike(ground, near, alone))
  if (found <= picturesIn(await carveLike(ground, near, sample)) * MANY_MORE) return sample
  strategies.push({ name: 'sound-tracks', outcome: `1 of opus, ${more.length + 1} in the sample` })
  for (const { description } of more) assessment.findings.add(absentTrack(description.id, description.codec))
  return alone
}

/** A sample without some of its tracks. */
export function withoutTracks(sample: Teacher, surplus: readonly MovieTrack[]): Teacher {
  const rest = (tracks: readonly MovieTrack[]): MovieTrack[] =>
    tracks.filter(({ header }) => !surplus.some((track) => track.header.id === header.id))
  return {
    ...sample,
    movie: { ...sample.movie, tracks: rest(sample.movie.tracks) },
    tracks: rest(sample.tracks),
  }
}

function picturesIn({ tracks }: Carved): number {
  return tracks.reduce(
    (sum, { description, table }) => sum + (description.kind === 'video' ? table.length : 0),
    0,
  )
}
