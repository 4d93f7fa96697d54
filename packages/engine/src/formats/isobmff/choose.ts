import type { RepairJob } from '../format.ts'
import type { Assessment, HeldIndex } from './assess.ts'
import { isUsable } from './diagnose.ts'
import type { Movie } from './movie.ts'
import { carveFile, readTeacher, type Teacher } from './strategies/carve.ts'
import { extendIndex } from './strategies/extend-index.ts'
import { fragmentsWithSample, rebase } from './strategies/fragments.ts'
import { fromSurvivingIndex, type RecoveredTrack } from './strategies/surviving-index.ts'

/** The tracks to be written and how they came about. */
export interface Recovery {
  readonly movie: Movie
  readonly tracks: readonly RecoveredTrack[]
  readonly sampleUsed: readonly string[]
  /** Every sample whose bytes survive is among them, as far as evidence goes. */
  readonly complete: boolean
}

type Strategies = { name: string; outcome: string }[]

/** Share of an index's checkable entries that must fit before the index is followed rather than the bytes carved. */
const TRUSTED_SHARE = 0.5
/** Share of the payload that may stay unexplained in a repair called complete. */
const UNEXPLAINED_SHARE = 0.005

/** Tries the strategies in the order of their evidence; a plain reason when none applies. */
export async function choose(
  job: RepairJob,
  assessment: Assessment,
  strategies: Strategies,
): Promise<Recovery | { readonly reason: string }> {
  const { reading, findings } = assessment
  const teacher = await readTeacher(job)
  let index = assessment.index
  if (!index && reading.fragments.length > 0 && teacher) {
    index = await fragmentsWithSample(job, reading, teacher.movie, findings)
  }
  if (index && isTrusted(index)) {
    const recovery = await followIndex(job, assessment, index, teacher, strategies)
    if (recovery) return recovery
  } else if (index) {
    strategies.push({ name: 'surviving-index', outcome: 'its entries do not fit the bytes' })
  }
  return carveAll(job, assessment, index, teacher, strategies)
}

/** An index is followed when something in it fits and most of what can be checked does. */
function isTrusted(index: HeldIndex): boolean {
  let fits = 0
  let checked = 0
  let rows = 0
  for (const [i, track] of index.tracks.entries()) {
    if (!isUsable(track)) continue
    const { fits: fit, damaged, broken, outside } = index.alignment.tracks[i]
    fits += fit + damaged
    checked += fit + damaged + broken
    rows += track.samples.length - broken - outside
  }
  return rows > 0 && fits >= checked * TRUSTED_SHARE
}

async function followIndex(
  job: RepairJob,
  assessment: Assessment,
  index: HeldIndex,
  teacher: Teacher | undefined,
  strategies: Strategies,
): Promise<Recovery | undefined> {
  const { reading } = assessment
  const fragmented = reading.fragments.length > 0
  const name = fragmented ? 'fragments' : 'surviving-index'
  let tracks = fromSurvivingIndex(job.damaged.reader, index, job.options.damagedFrames)
  if (tracks.length === 0) {
    strategies.push({ name, outcome: 'no entry of the index has its bytes' })
    return undefined
  }
  strategies.push({ name, outcome: summary(tracks) })
  const extension = await extendIndex(job, reading, index, tracks)
  if (extension) {
    tracks = extension.tracks
    strategies.push({ name: 'carve', outcome: `${extension.added} units found outside the index` })
  }
  if (fragmented) rebase(tracks)
  const described = index.tracks.filter((track) => track.sampleDescription.length > 0).length
  const borrowed = index !== assessment.index
  return {
    movie: index.movie,
    tracks,
    sampleUsed: borrowed && teacher ? ['codec configuration', 'track layout'] : [],
    complete:
      tracks.length === described &&
      index.movie.tracks.every((track) => track.external || isUsable(track)) &&
      !extension?.unexplained,
  }
}

async function carveAll(
  job: RepairJob,
  assessment: Assessment,
  index: HeldIndex | undefined,
  teacher: Teacher | undefined,
  strategies: Strategies,
): Promise<Recovery | { readonly reason: string }> {
  const { reading } = assessment
  const own = reading.movie && index === assessment.index ? reading.movie : undefined
  const ownTracks = own?.tracks.filter(isUsable) ?? []
  const source =
    teacher ??
    (own && ownTracks.length > 0 ? { reader: job.damaged.reader, movie: own, tracks: ownTracks } : undefined)
  if (!source) return { reason: refusal(job, assessment) }
  const payload = reading.survey.payload
  if (payload.length === 0) return { reason: 'The file contains no media data.' }
  const carved = await carveFile(job, payload, source, own)
  if (carved.tracks.length === 0) {
    strategies.push({ name: 'carve', outcome: 'no unit of any track found' })
    return {
      reason: teacher
        ? 'No picture or sound of the kind in the sample was found in the file.'
        : refusal(job, assessment),
    }
  }
  strategies.push({ name: 'carve', outcome: summary(carved.tracks) })
  const bytes = payload.reduce((sum, region) => sum + region.length, 0)
  return {
    movie: carved.movie,
    tracks: carved.tracks,
    sampleUsed: teacher ? ['codec configuration', 'track layout', 'timing'] : [],
    complete: carved.unexplained <= bytes * UNEXPLAINED_SHARE,
  }
}

function refusal(job: RepairJob, assessment: Assessment): string {
  if (job.sample) return 'The sample has no track that can be read.'
  if (assessment.reading.fragments.length > 0)
    return 'The description of the tracks is lost: a sample from the same camera is needed.'
  return 'The index is lost: a sample from the same camera is needed.'
}

function summary(tracks: readonly RecoveredTrack[]): string {
  return tracks
    .map(({ plan, outcome }) => {
      const { codec } = plan.template.description
      return `${codec}: ${outcome.recovered} recovered, ${outcome.damaged} damaged, ${outcome.lost} lost`
    })
    .join('; ')
}
