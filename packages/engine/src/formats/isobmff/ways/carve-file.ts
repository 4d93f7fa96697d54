import type { Region } from '../../../bytes/regions.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { BitReservoir } from '../../../codecs/mp3/bit-reservoir.ts'
import { LimitError } from '../../../model/errors.ts'
import { Findings } from '../../../model/finding.ts'
import { SAMPLE_DAMAGED, SampleTable } from '../../../model/sample-table.ts'
import type { TrackDescription } from '../../../model/track.ts'
import type { DeducedFact } from '../../../recording/deduce/candidates.ts'
import { flagBlankRows } from '../../../recording/judge/blank-rows.ts'
import { isShown } from '../../../recording/judge/found-tracks.ts'
import { startsOutOfStep } from '../../../recording/judge/late-start.ts'
import { explainsAll, measureUnexplained, type Unexplained } from '../../../recording/judge/unexplained.ts'
import { TrackOutcome } from '../../../recording/track-outcome.ts'
import { type Carved, type CarvedTrack, carve } from '../../../recovery/carve.ts'
import type { RecordedTrack } from '../../../recovery/carving/lane.ts'
import type { RepairJob } from '../../format.ts'
import { followsMediaHeader } from '../boxes/mdat.ts'
import { isUsable } from '../diagnose.ts'
import type { Movie, MovieTrack } from '../read/movie.ts'
import { readFile } from '../read/read.ts'
import { mediaEnd } from '../read/survey.ts'
import type { EarlyCopy } from '../write/copy-ahead.ts'
import { ISO_DRAFTS } from '../write/iso-drafts.ts'
import { cutApart } from '../write/plan-edits.ts'
import {
  counterpartOf,
  movieLike,
  withFactsOf,
  withHeaderOf,
  withoutPersonal,
  withRemnant,
} from './descriptions/track-facts.ts'
import { hasDoubtfulOrder } from './index/carved-times.ts'
import type { RecoveredTrack } from './index/surviving-index.ts'
import { isShownOtherwise } from './index/told-order.ts'
import {
  carveWithFurther,
  type FurtherTrack,
  findFurtherTracks,
  strangePictures,
} from './sample/further-tracks.ts'
import { copyRow } from './some-rows.ts'

/** Seconds by which sound may be early or late and few notice, ITU-R BT.1359-1 Annex 1. */
const NOTICED = 0.1

/** The recording that carving learns from. */
export interface Teacher {
  readonly reader: RepairJob['damaged']['reader']
  readonly movie: Movie
  /** Tracks with codec configuration and samples. */
  readonly tracks: readonly MovieTrack[]
  /** `sample`: another recording. `payload`: the damaged file's own payload, see `deduceTeacher`. */
  readonly origin: 'sample' | 'payload' | 'index'
  /** What of a sample that does not fit served nevertheless. */
  readonly used?: readonly string[]
  /**
   * Units of the damaged file from which tracks' encoders are learned, where the sample's were coded with other settings, or are
   * fewer.
   */
  readonly lessons?: readonly Lessons[]
  /** What tracks rest on that the sample does not have. */
  readonly further?: readonly DeducedFact[]
  /** A track's samples as the recording has them, where the track's are given other times. */
  readonly asRecorded?: { readonly id: number; readonly table: SampleTable }
  /** Track of whose pictures the damaged file leaves some out, though this recording does not. */
  readonly leavesOut?: number
  /** Its rate rests on nothing but what is usual. */
  readonly assumed?: boolean
  /** Its pictures' rate is what their bitstream states, and nothing else tells one. */
  readonly unconfirmed?: boolean
}

/** Units found of the track with an id. */
export interface Lessons {
  readonly id: number
  readonly reader: RepairJob['damaged']['reader']
  readonly table: SampleTable
}

/** A teacher's track as carving learns from it. */
export function recorded(
  teacher: Teacher,
  track: MovieTrack,
  description = track.description,
): RecordedTrack {
  const { lessons, leavesOut, asRecorded } = teacher
  const own = lessons?.find(({ id }) => id === track.description.id)
  return {
    description,
    table: track.samples,
    ...(teacher.origin === 'payload' ? {} : { told: true }),
    ...(own ? { lessons: own } : {}),
    ...(leavesOut === track.description.id ? { leavesOut: true } : {}),
    ...(asRecorded?.id === track.description.id ? { asRecorded: asRecorded.table } : {}),
    ...(showsAsDecoded(teacher, track) ? { asDecoded: true } : {}),
  }
}

/** Pictures of a sample that tell whether it shows them in the order they tell. */
const SHOWN = 600

/**
 * Whether a sample shows its pictures as they are decoded though they number themselves in another order: its writer gives no
 * composition offsets, which says that there are none, ISO/IEC 14496-12:2022 §8.6.1.3.
 */
function showsAsDecoded({ origin, reader }: Teacher, track: MovieTrack): boolean {
  const { cts, length } = track.samples
  if (origin !== 'sample' || hasDoubtfulOrder(track)) return false
  if (cts.subarray(0, length).some((ticks) => ticks !== 0)) return false
  return isShownOtherwise(reader, { template: track, table: track.samples }, SHOWN)
}

/** Reads the sample; undefined when it has no track to learn from. */
export async function readTeacher(job: RepairJob): Promise<Teacher | undefined> {
  if (!job.sample) return undefined
  const reading = await readFile(job.sample.reader, job.limits, new Findings(job.limits.findings), {
    progress: () => {},
    pause: () => job.monitor.pause(),
  })
  const tracks = reading.movie?.tracks.filter(isUsable) ?? []
  return reading.movie && tracks.length > 0
    ? { reader: job.sample.reader, movie: reading.movie, tracks, origin: 'sample' }
    : undefined
}

/** What the damaged file still says of itself; of some tracks of the movie only headers may be left. */
export interface OwnDescription {
  readonly movie: Movie
  /** Tracks whose codec configuration the bytes confirm. */
  readonly tracks: readonly MovieTrack[]
}

/** What carving brought back, ready to be written. */
export interface CarvedFile {
  readonly movie: Movie
  readonly tracks: readonly RecoveredTrack[]
  readonly holes: readonly Region[]
  /** See `Carved.endsEstimated`. */
  readonly endsEstimated: boolean
  readonly unexplained: Unexplained
  /** What tracks rest on that were found beside the teacher's. */
  readonly further: readonly DeducedFact[]
  /** Tracks that were looked for, and nothing of them found. */
  readonly absent: readonly TrackDescription[]
}

/**
 * Recovers all tracks from payload without an index, with a teacher's codec configuration, layout and habits. Undefined where
 * more units begin in it than a recording of its length can have: these are none.
 */
export async function carveFile(
  job: RepairJob,
  regions: readonly Region[],
  teacher: Teacher,
  own: OwnDescription | undefined,
  early?: EarlyCopy,
): Promise<CarvedFile | undefined> {
  try {
    return await carveTracks(job, regions, teacher, own, early)
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    return undefined
  }
}

async function carveTracks(
  job: RepairJob,
  regions: readonly Region[],
  teacher: Teacher,
  own: OwnDescription | undefined,
  early?: EarlyCopy,
): Promise<CarvedFile> {
  // without an index nothing tells where samples of encrypted tracks begin
  const teachers = teacher.tracks.filter(({ protection }) => !protection)
  const templates = teachers.map(
    (track) => ownTrack(track, own, teacher) ?? strangersTrack(track, own?.movie, teacher),
  )
  const sample = {
    reader: teacher.reader,
    tracks: teachers.map((track, i) => recorded(teacher, track, templates[i].description)),
  }
  const { reader } = job.damaged
  const startsMedia = (offset: number): boolean => followsMediaHeader(reader, offset)
  const outside = mediaEnd(reader)
  // what begins where media data say they end, and units do, is none of them
  const leftOver = ({ holes, ...carved }: Carved): Unexplained =>
    measureUnexplained(
      reader,
      { ...carved, holes: holes.filter(({ offset }) => offset !== outside) },
      startsMedia,
    )
  const input = { reader, regions, sample, limits: job.limits, monitor: job.monitor }
  let carved: Carved = await carve({ ...input, onSettled: early && ((settled) => early.advance(settled)) })
  let unexplained = leftOver(carved)
  const further = await lookFurther(job, explainsAll(unexplained, regions), teacher, carved)
  if (further.length > 0) {
    carved = await carveWithFurther(input, templates.map(isDelimited), further)
    templates.push(...further.map(({ template }) => template))
    unexplained = leftOver(carved)
  }
  const isCut = isCutApart(teacher)
  const isCopied = early !== undefined && early.front > 0
  const tracks = carved.tracks
    .map((track, i) => ({
      ...carvedTrack(job, track, templates[i], isCopied),
      ...(i < teachers.length ? {} : { estimated: true }),
      ...(startsLate(teacher, teachers[i]) || (isCut && track.description.kind === 'video')
        ? { timesDoubtful: true as const }
        : {}),
    }))
    .filter((track) => track.plan.table.length > 0)
  // Bytes of any kind pass for PCM: without a unit that has syntax nothing shows that this is the recording.
  const proven =
    templates.every((template) => !isDelimited(template)) ||
    tracks.some(({ plan }) => isDelimited(plan.template))
  const movie = own ? withHeaderOf(own.movie, teacher.movie) : movieLike(teacher.movie)
  return {
    movie,
    tracks: proven ? tracks : [],
    holes: carved.holes,
    endsEstimated: carved.endsEstimated,
    unexplained,
    further: [...(teacher.further ?? []), ...further.map(({ fact }) => fact)],
    absent: carved.tracks.flatMap(({ table, description }) => (table.length === 0 ? [description] : [])),
  }
}

/** Tracks that a healthy recording did not have: a teacher made of the payload itself was listened for already. */
async function lookFurther(
  job: RepairJob,
  explained: boolean,
  teacher: Teacher,
  carved: Carved,
): Promise<FurtherTrack[]> {
  const { reader } = job.damaged
  if (teacher.origin === 'payload') return []
  if (explained && strangePictures(carved.tracks).length === 0) return []
  const ground = { reader, limits: job.limits, monitor: job.monitor, family: ISO_DRAFTS }
  return findFurtherTracks(ground, carved.holes, carved.tracks)
}

/** Whether sound of recordings like the sample starts as late as it happens. */
function startsLate({ origin }: Teacher, track: MovieTrack | undefined): boolean {
  if (origin !== 'sample' || track?.description.kind !== 'audio' || track.layout.rows === 'runs') return false
  return startsOutOfStep(track.samples, track.description.timescale)
}

/**
 * Whether recordings like the sample were cut, so that their sound and pictures are out of step by what their edit lists alone
 * tell.
 */
function isCutApart({ origin, movie, tracks }: Teacher): boolean {
  const shown = tracks.filter(({ description }) => isShown(description.kind))
  return origin === 'sample' && cutApart(shown, movie.header.timescale) > NOTICED
}

function isDelimited(track: MovieTrack): boolean {
  return codecNamed(track.description.codec)?.recogniser(track.description)?.selfDelimiting ?? false
}

/** The damaged file's own description of a track, where it survives: it beats the teacher's. */
function ownTrack(
  track: MovieTrack,
  own: OwnDescription | undefined,
  teacher: Teacher,
): MovieTrack | undefined {
  if (!own) return undefined
  const same = (other: MovieTrack): boolean =>
    other.sampleDescription.length > 0 &&
    other.description.kind === track.description.kind &&
    other.description.codec === track.description.codec
  const nth = teacher.tracks.filter(same).indexOf(track)
  const found = own.tracks.filter(same)[Math.max(0, nth)]
  return found && withFactsOf(found, track)
}

/** A track of another recording, with what the damaged file's movie box still says of the track in its place. */
function strangersTrack(track: MovieTrack, movie: Movie | undefined, teacher: Teacher): MovieTrack {
  const stranger = withoutPersonal(track)
  const own =
    movie && teacher.movie !== movie ? counterpartOf(track, teacher.tracks, movie.tracks) : undefined
  return own && own.handlerType === track.handlerType ? withRemnant(stranger, own) : stranger
}

/** What was carved of a track. Zeros in pictures are looked for now unless it `isCopied`: who copies sees them in passing. */
function carvedTrack(
  job: RepairJob,
  carved: CarvedTrack,
  template: MovieTrack,
  isCopied: boolean,
): RecoveredTrack {
  const { table, times } = carved
  const { reader } = job.damaged
  if (!isCopied) flagBlankRows(reader, template.description, table)
  for (let row = 0; row < table.length; row++) table.dts[row] += times.startDelay
  const outcome = new TrackOutcome(template.description.timescale, 0)
  const kept = job.options.damagedFrames === 'drop' ? new SampleTable(Math.max(1, table.length)) : table
  // main data of Layer III may begin in packets in front
  const reservoir = template.description.codec === 'mp3' ? new BitReservoir() : undefined
  let next = 0
  for (let row = 0; row < table.length; row++) {
    for (; next < times.losses.length && times.losses[next].row <= row; next++) {
      addLoss(outcome, carved, next)
      reservoir?.lose()
    }
    const damaged = (table.flags[row] & SAMPLE_DAMAGED) !== 0
    if (damaged) reservoir?.lose()
    if (damaged && kept !== table) {
      outcome.add('lost', table, row, table.offset[row], 'damaged')
      continue
    }
    const offset = table.offset[row]
    const isFed = damaged || !reservoir?.isLow || reservoir.take(reader.bytes(offset, table.size[row]))
    const reason = damaged ? 'damaged' : isFed ? '' : 'bytes-lost'
    outcome.add(reason === '' ? 'recovered' : 'damaged', table, row, offset, reason)
    if (kept !== table) copyRow(table, row, kept)
  }
  for (; next < times.losses.length; next++) addLoss(outcome, carved, next)
  const doubtful = times.untimed ? { timesDoubtful: true as const } : {}
  return {
    plan: { template, table: kept, times: 'carved' },
    outcome,
    estimated: times.estimated,
    ...doubtful,
  }
}

function addLoss(outcome: TrackOutcome, carved: CarvedTrack, index: number): void {
  const loss = carved.times.losses[index]
  const { timescale } = carved.description
  const ticks = Math.round(loss.seconds * timescale)
  const unit = carved.prior.unitDuration
  if (ticks <= 0 || unit <= 0) return
  const { table } = carved
  const end = loss.row < table.length ? table.dts[loss.row] : lastEnd(table)
  const hole = new SampleTable(1)
  hole.push(loss.hole.offset, loss.hole.length, Math.max(1, Math.round(ticks / unit)), ticks, 0, 0)
  hole.dts[0] = Math.max(0, end - ticks)
  outcome.add('lost', hole, 0, loss.hole.offset, 'hole')
}

function lastEnd(table: SampleTable): number {
  const last = table.length - 1
  return last < 0 ? 0 : table.dts[last] + table.duration[last]
}
