import { Findings } from '../../model/finding.ts'
import { SAMPLE_DAMAGED } from '../../model/sample-table.ts'
import type { RepairJob } from '../format.ts'
import { type Assessment, type HeldIndex, holdIndex } from './assess.ts'
import { isUsable } from './diagnose.ts'
import type { Movie, MovieTrack } from './movie.ts'
import type { PlannedTrack } from './plan.ts'
import type { Region } from './regions.ts'
import { carveFile, readTeacher, type Teacher } from './strategies/carve.ts'
import { adoptTimes, anyDoubtfulTimes } from './strategies/carved-times.ts'
import { deduceTeacher } from './strategies/deduced.ts'
import { isIndexHit, mendDescriptions, ownDescription } from './strategies/descriptions.ts'
import { extendIndex } from './strategies/extend-index.ts'
import { fragmentsWithSample, rebase } from './strategies/fragments.ts'
import { markKeys } from './strategies/key-marks.ts'
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

/** Evidence that an index's entries must show together before it is followed rather than the bytes carved. */
const TRUSTED_BITS = 60
/** Share of the payload that may stay unexplained in a repair called complete. */
const UNEXPLAINED_SHARE = 0.005

/** Tries the strategies in the order of their evidence; a plain reason when none applies. */
export async function choose(
  job: RepairJob,
  assessment: Assessment,
  strategies: Strategies,
): Promise<Recovery | { readonly reason: string }> {
  const { reading, findings } = assessment
  let teacher = await readTeacher(job)
  let index = assessment.index
  if (!teacher && !index) teacher = await deduceTeacher(job, assessment, strategies)
  if (!index && reading.fragments.length > 0 && teacher) {
    index = await fragmentsWithSample(job, reading, teacher.movie, findings)
  }
  if (index && teacher && isIndexHit(assessment, index)) {
    const movie = mendDescriptions(job.damaged.reader, index, teacher)
    if (movie) {
      strategies.push({
        name: 'sample-entries',
        outcome: 'damaged descriptions of tracks taken from the sample',
      })
      index = await holdIndex(job.damaged.reader, reading, movie, new Findings(0), job.monitor)
    }
  }
  if (index && isTrusted(index)) {
    const recovery = await followIndex(job, assessment, index, teacher, strategies)
    if (recovery) return recovery
  } else if (index) {
    strategies.push({ name: 'surviving-index', outcome: 'its entries do not fit the bytes' })
  }
  return carveAll(job, assessment, index, teacher, strategies)
}

/**
 * An index is followed when entries of it fit the bytes beyond chance, or nothing in it can be checked: an entry names both
 * place and length, so that few that fit prove the whole; those that do not are damage.
 */
function isTrusted(index: HeldIndex): boolean {
  let bits = 0
  let checkable = 0
  let rows = 0
  for (const [i, track] of index.tracks.entries()) {
    if (!isUsable(track)) continue
    const { fits, damaged, broken, outside } = index.alignment.tracks[i]
    bits += (fits + damaged) * index.checkers[i].weight
    checkable += fits + damaged + broken
    rows += track.samples.length - broken - outside
  }
  return rows > 0 && (checkable === 0 || bits >= TRUSTED_BITS)
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
  else markKeys(job.damaged.reader, tracks)
  const borrowed = index !== assessment.index && teacher?.origin === 'sample'
  const recovery: Recovery = {
    movie: index.movie,
    tracks,
    sampleUsed: borrowed ? ['codec configuration', 'track layout'] : [],
    complete: describesAll(index, assessment) && !extension?.unexplained,
  }
  if (fragmented) return recovery
  return (await rivalByCarving(job, assessment, index, teacher, recovery, strategies)) ?? recovery
}

/** True when the movie box names every track it had, with tables, whether or not their bytes survive. */
function describesAll(index: HeldIndex, assessment: Assessment): boolean {
  if (assessment.findings.has('isobmff.moov-truncated')) return false
  return index.movie.tracks.every(
    (track) => track.external || (track.sampleDescription.length > 0 && track.samples.length > 0),
  )
}

/**
 * Where the index lacks tracks or many of its entries do not fit, carves the bytes as well: tracks that the index lacks are
 * added, and where carving finds more than the index, it replaces it. Undefined when the index stands.
 */
async function rivalByCarving(
  job: RepairJob,
  assessment: Assessment,
  index: HeldIndex,
  teacher: Teacher | undefined,
  recovery: Recovery,
  strategies: Strategies,
): Promise<Recovery | undefined> {
  const lacking = !recovery.complete
  const timesDoubtful = anyDoubtfulTimes(index)
  if (!lacking && !timesDoubtful && !isDoubtful(index)) return undefined
  // Units of a track that is neither described here nor by a sample would be taken for another's.
  if (lacking && !teacher && announcedTracks(index.movie) > recovery.tracks.length) return undefined
  const own = index.movie
  const source: Teacher = teacher ?? {
    reader: job.damaged.reader,
    movie: own,
    tracks: recovery.tracks.map(lessons),
    origin: 'index',
  }
  const { payload } = assessment.reading.survey
  const carved = await carveFile(job, payload, source, ownDescription(index))
  if (carved.tracks.length === 0) return undefined
  const tracks = [...recovery.tracks]
  let added = 0
  let better = 0
  let worse = 0
  const gains = new Map<number, RecoveredTrack>()
  for (const track of carved.tracks) {
    const rival = tracks.findIndex(
      ({ plan }) => plan.template.header.id === track.plan.template.header.id && sameCodec(plan, track.plan),
    )
    if (rival < 0) {
      tracks.push(freeId(track, tracks))
      added++
    } else {
      const gain = wholeBytes(track) / Math.max(1, allBytes(tracks[rival]))
      if (gain > CLEARLY_MORE) {
        better++
        gains.set(rival, track)
      } else if (gain < NO_LESS) worse++
    }
  }
  const complete =
    recovery.complete ||
    (teacher !== undefined && carved.unexplained <= payloadBytes(payload) * UNEXPLAINED_SHARE)
  const sampleUsed =
    lacking && teacher?.origin === 'sample'
      ? ['codec configuration', 'track layout', 'timing']
      : recovery.sampleUsed
  // One clock for all tracks: the index's where it has all that there is, else the one that carving found.
  if (better > 0 && worse === 0 && carved.tracks.length >= recovery.tracks.length) {
    strategies.push({ name: 'carve', outcome: summary(carved.tracks) })
    return { ...recovery, tracks: carved.tracks, sampleUsed, complete }
  }
  for (const track of timesDoubtful ? carved.tracks : []) {
    const rival = tracks.find(
      ({ plan }) => plan.template.header.id === track.plan.template.header.id && sameCodec(plan, track.plan),
    )
    if (rival && adoptTimes(rival, track))
      strategies.push({ name: 'carve', outcome: `times of track ${rival.plan.template.header.id}` })
  }
  for (const [rival, track] of gains) tracks[rival] = track
  if (added === 0 && gains.size === 0) {
    strategies.push({ name: 'carve', outcome: 'found no more than the index has' })
    return undefined
  }
  const taken = [...gains.values(), ...tracks.slice(tracks.length - added)]
  strategies.push({ name: 'carve', outcome: `tracks that the index lacks: ${summary(taken)}` })
  return { ...recovery, tracks, sampleUsed, complete }
}

/** A track to learn from: entries that were found right where they were found, or the whole index where few were. */
function lessons({ plan }: RecoveredTrack): MovieTrack {
  const { template, table } = plan
  return table.length < template.samples.length / 2 ? template : { ...template, samples: table }
}

/** Carving must find this many times the bytes to replace the index: it estimates times that an index knows. */
const CLEARLY_MORE = 1.02
/** Share of the index's bytes that carving may miss of a track. */
const NO_LESS = 0.99
/** Broken entries that are taken for damaged payload; more of them speak against the index. */
const FEW_BROKEN = 4

/** True when entries that lie in the file are no units of their codec, more than a few damaged blocks explain. */
function isDoubtful(index: HeldIndex): boolean {
  return index.alignment.tracks.some(
    ({ broken, state }) => broken > FEW_BROKEN && broken > state.length * 0.005,
  )
}

function payloadBytes(payload: readonly Region[]): number {
  return payload.reduce((sum, region) => sum + region.length, 0)
}

/** Tracks that a movie header lets expect: ids are given from 1 on, next_track_ID is the next free one. */
function announcedTracks(movie: Movie): number {
  const { tail } = movie.header
  const next = new DataView(tail.buffer, tail.byteOffset).getUint32(76)
  return next > 0 && next < 256 ? next - 1 : movie.tracks.length
}

function sameCodec(a: PlannedTrack, b: PlannedTrack): boolean {
  return a.template.description.codec === b.template.description.codec
}

/** Bytes of a track's undamaged rows. */
function wholeBytes(track: RecoveredTrack): number {
  const { table } = track.plan
  let bytes = 0
  for (let row = 0; row < table.length; row++)
    if ((table.flags[row] & SAMPLE_DAMAGED) === 0) bytes += table.size[row]
  return bytes
}

/** Bytes of all rows of a track, damaged ones too: carving may not see that they are. */
function allBytes(track: RecoveredTrack): number {
  const { table } = track.plan
  let bytes = 0
  for (let row = 0; row < table.length; row++) bytes += table.size[row]
  return bytes
}

/** The track under an id that no other track has. */
function freeId(track: RecoveredTrack, others: readonly RecoveredTrack[]): RecoveredTrack {
  const taken = new Set(others.map(({ plan }) => plan.template.header.id))
  const { template } = track.plan
  if (!taken.has(template.header.id)) return track
  const id = Math.max(...taken) + 1
  return { ...track, plan: { ...track.plan, template: { ...template, header: { ...template.header, id } } } }
}

async function carveAll(
  job: RepairJob,
  assessment: Assessment,
  index: HeldIndex | undefined,
  teacher: Teacher | undefined,
  strategies: Strategies,
): Promise<Recovery | { readonly reason: string }> {
  const { reading } = assessment
  const own = index && index.movie.box === reading.movie?.box ? ownDescription(index) : undefined
  const ownTracks = own?.tracks.filter(isUsable) ?? []
  const source: Teacher | undefined =
    teacher ??
    (own && ownTracks.length > 0
      ? { reader: job.damaged.reader, movie: own.movie, tracks: ownTracks, origin: 'index' }
      : await deduceTeacher(job, assessment, strategies))
  if (!source) return { reason: refusal(job, assessment) }
  const payload = reading.survey.payload
  if (payload.length === 0) return { reason: 'The file contains no media data.' }
  const carved = await carveFile(job, payload, source, own)
  if (carved.tracks.length === 0) {
    strategies.push({ name: 'carve', outcome: 'no unit of any track found' })
    return {
      reason: job.sample
        ? 'No picture or sound of the kind in the sample was found in the file.'
        : refusal(job, assessment),
    }
  }
  strategies.push({ name: 'carve', outcome: summary(carved.tracks) })
  return {
    movie: carved.movie,
    tracks: carved.tracks,
    sampleUsed: source.origin === 'sample' ? ['codec configuration', 'track layout', 'timing'] : [],
    complete: carved.unexplained <= payloadBytes(payload) * UNEXPLAINED_SHARE,
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
