import { tally, USUAL_RATES } from '../../../../recording/deduce/clock.ts'
import { firstPayload } from '../../../../recording/deduce/places-to-look.ts'
import type { Strategies } from '../../../../recording/ways.ts'
import type { Carved } from '../../../../recovery/carve.ts'
import { lookAlike } from '../../../../recovery/telling-apart/look-alikes.ts'
import {
  dealRuns,
  dealtTable,
  MOST_TRACKS,
  type SoundRun,
  soundRuns,
  stepOf,
  together,
} from '../../../../recovery/telling-apart/sound-runs.ts'
import type { RepairJob } from '../../../format.ts'
import type { Assessment } from '../../assess.ts'
import { absentTrack } from '../../findings.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { Lessons, Teacher } from '../carve-file.ts'
import { carveLike } from './first-look.ts'
import { withOneUnframed, withoutTracks } from './opus-tracks.ts'
import { constantRate, meanUnit } from './picture-rate.ts'
import { isMixed, MOST_MIXED, ratesHeard, withRates } from './track-order.ts'

/** Payload that is looked at: more where the first of it holds too little. */
const LOOKS = [3 << 20, 12 << 20, 48 << 20]
/** Share by which as much sound as tracks of it make may be more or less. */
const AS_MUCH = 0.06

/**
 * The sample with as many tracks of sound as the damaged file has of the kind, where it has fewer or more: packets of tracks that
 * are coded alike pass for each other's, and only how many come with each picture tells. Says in the findings what differs. The
 * sample itself where it has as many, or nothing tells.
 */
export async function withOwnSoundTracks(
  job: RepairJob,
  assessment: Assessment,
  sample: Teacher,
  strategies: Strategies,
): Promise<Teacher> {
  const kin = kinOf(sample)
  const picture = sample.tracks.find(({ description }) => description.kind === 'video')
  if (kin.length === 0 && picture && !sample.tracks.some(({ protection }) => protection))
    return withOneUnframed(job, assessment, sample, strategies)
  if (
    kin.length === 0 ||
    kin.length > MOST_TRACKS ||
    !picture ||
    sample.tracks.some(({ protection }) => protection)
  )
    return sample
  const { limits, monitor } = job
  const { reader } = job.damaged
  const { payload } = assessment.reading.survey
  for (const bytes of LOOKS) {
    const near = firstPayload(reader, payload, bytes)
    const carved = await carveLike({ reader, limits, monitor }, near, sample)
    const heard = hear(sample, carved, kin)
    const rates = mixedRates(picture, kin, heard)
    if (rates && !isOne(rates)) return withRates(job, assessment, sample, carved, kin, rates, strategies)
    if (rates) return withOneRate(job, assessment, sample, kin, rates, heard.runs, strategies)
    const count = countTracks(sample, picture, kin, heard)
    if (count === kin.length || heard.aPicture === 0) return sample
    if (count !== undefined) {
      strategies.push({ name: 'sound-tracks', outcome: `${count} alike, ${kin.length} in the sample` })
      if (count > kin.length) return withMore(job, sample, kin, heard.runs, count)
      for (const { description } of kin.slice(count))
        assessment.findings.add(absentTrack(description.id, description.codec))
      return withoutTracks(sample, kin.slice(count))
    }
    if (near.reduce((sum, { length }) => sum + length, 0) < bytes) break
  }
  return sample
}

/**
 * Sampling rates of the alike tracks, in Hz, where not all of the sample's or of the file's are of one rate; undefined where they
 * are.
 */
function mixedRates(
  picture: MovieTrack,
  kin: readonly MovieTrack[],
  { runs, aPicture }: Heard,
): readonly number[] | undefined {
  if (kin.length > MOST_MIXED || kin.some(({ description }) => description.codec !== 'aac')) return undefined
  const paced = constantRate(picture)
  const heard = paced && aPicture ? ratesHeard(kin, aPicture * paced) : undefined
  if (isMixed(kin)) return heard ?? kin.map(({ description }) => description.timescale)
  const isUneven = new Set(heard).size > 1 && stepOf(runs)?.most === 1
  return isUneven ? heard : undefined
}

function isOne(rates: readonly number[]): boolean {
  return rates.every((rate) => rate === rates[0])
}

/** The sample with as many tracks of its sound of one of several rates as the file has, all of that rate. */
function withOneRate(
  job: RepairJob,
  assessment: Assessment,
  sample: Teacher,
  kin: readonly MovieTrack[],
  rates: readonly number[],
  runs: readonly SoundRun[],
  strategies: Strategies,
): Teacher {
  const own = kin.find(({ description }) => description.timescale === rates[0])
  if (!own) return { ...sample, assumed: true }
  const others = kin.filter((track) => track !== own)
  const alone = withoutTracks(sample, others)
  strategies.push({
    name: 'sound-tracks',
    outcome: `${rates.length} of ${rates[0]} Hz, ${kin.length} in the sample`,
  })
  for (const { description } of others.slice(rates.length - 1))
    assessment.findings.add(absentTrack(description.id, description.codec))
  return rates.length === 1 ? alone : withMore(job, alone, [own], runs, rates.length)
}

/** The sample's first track of sound whose packets say where they end, and those that look like it. */
function kinOf({ tracks, reader }: Teacher): MovieTrack[] {
  const asRecorded = ({ description, samples }: MovieTrack) => ({ description, table: samples })
  const sounds = tracks.filter(({ description }) => description.kind === 'audio')
  const first = sounds.find((track) => lookAlike(reader, asRecorded(track), asRecorded(track)))
  if (!first) return []
  return sounds.filter((track) => lookAlike(reader, asRecorded(first), asRecorded(track)))
}

interface Heard {
  readonly runs: readonly SoundRun[]
  /** Units of all alike tracks that come with a picture, where there are none or that was counted over rounds of both. */
  readonly aPicture: number | undefined
}

function hear(sample: Teacher, { tracks, holes }: Carved, kin: readonly MovieTrack[]): Heard {
  const isKin = (i: number): boolean => kin.includes(sample.tracks[i])
  const sounds = tracks.flatMap(({ table }, i) => (isKin(i) ? [table] : []))
  const others = tracks.flatMap(({ table }, i) => (isKin(i) ? [] : [table]))
  const pictures = tracks.find(({ description }) => description.kind === 'video')
  if (!pictures) return { runs: [], aPicture: undefined }
  const runs = soundRuns([pictures.table, ...others.filter((table) => table !== pictures.table)], sounds)
  const counted = tally(pictures.table, together(sounds), holes)
  const isTold = counted.level || counted.sounds === 0
  return { runs, aPicture: isTold ? counted.sounds / Math.max(1, counted.pictures) : undefined }
}

/** How many alike tracks the file has; undefined where what was heard does not tell. */
function countTracks(
  sample: Teacher,
  picture: MovieTrack,
  kin: readonly MovieTrack[],
  { runs, aPicture }: Heard,
): number | undefined {
  const each = kin.map(unitsASecond)
  const [own] = each
  if (own === 0 || each.some((rate) => Math.abs(rate / own - 1) > ONE_RATE)) return kin.length
  const paced = constantRate(picture)
  const { timescale } = picture.description
  const much = aPicture ? (aPicture * (paced ?? timescale / meanUnit(picture.samples))) / own : undefined
  const isAsMuch = (count: number): boolean => much !== undefined && Math.abs(much / count - 1) < AS_MUCH
  // pictures may come at another rate, or some of them are left out
  const mayBe = (count: number): boolean =>
    paced && much
      ? much / count > 1 - AS_MUCH || isUsual((paced * count) / much)
      : runs.length >= RUNS_WITHOUT_RATE
  const step = stepOf(runs)
  const grain = step && (step.sure || step.most === 1) ? grainOf(sample, kin) : undefined
  const inStep = step && grain ? step.most / grain : undefined
  // where pictures come at a variable rate, runs that can be divided are less than as much sound as the sample's
  if (!paced && isAsMuch(kin.length)) return kin.length
  if (inStep !== undefined && Number.isInteger(inStep) && mayBe(inStep)) return inStep
  if (isAsMuch(kin.length)) return kin.length
  if (!step) return undefined
  for (let count = step.most; count > 0; count--) if (step.most % count === 0 && isAsMuch(count)) return count
  return kin.length
}

/** Rates that differ by less are one. */
const ONE_RATE = 1e-3
/** Share by which pictures may miss a usual rate. */
const NEAR_USUAL = 0.015
/** Runs that tell how many tracks are in step where nothing says how often pictures come. */
const RUNS_WITHOUT_RATE = 48

function isUsual(rate: number): boolean {
  return USUAL_RATES.some(({ num, den }) => Math.abs(num / den / rate - 1) < NEAR_USUAL)
}

/**
 * Units of each track that its writer puts together where tracks of the sample are in step; undefined where they are not, or that
 * is not told.
 */
function grainOf(sample: Teacher, kin: readonly MovieTrack[]): number | undefined {
  const others = sample.tracks.filter((track) => !kin.includes(track))
  const [pictures, sounds] = [others, kin].map((tracks) => tracks.map(({ samples }) => samples))
  const step = stepOf(soundRuns(pictures, sounds))
  if (!step || !(step.sure || step.most === 1)) return undefined
  const grain = step.most / kin.length
  return Number.isInteger(grain) ? grain : undefined
}

/** Units a second of a track's usual ones; 0 when unknown. */
function unitsASecond({ samples, description }: MovieTrack): number {
  const row = samples.length > 1 ? 1 : 0
  return samples.length > 0 && samples.duration[row] > 0
    ? (description.timescale * samples.count[row]) / samples.duration[row]
    : 0
}

/** The sample with so many tracks like its own; how each of them sounds is learned from the file. */
function withMore(
  { damaged }: RepairJob,
  sample: Teacher,
  kin: readonly MovieTrack[],
  runs: readonly SoundRun[],
  count: number,
): Teacher {
  const model = kin[0]
  let id = Math.max(...sample.movie.tracks.map(({ header }) => header.id))
  const more: MovieTrack[] = []
  for (let i = kin.length; i < count; i++) {
    id++
    const description = { ...model.description, id }
    more.push({ ...model, description, header: { ...model.header, id } })
  }
  const all = [...kin, ...more]
  const deal = dealRuns(runs, count)
  const lessons: Lessons[] = all.map(({ description, samples }, i) => ({
    id: description.id,
    reader: damaged.reader,
    table: dealtTable(deal[i], samples.duration[0]),
  }))
  const fact = {
    what: `${count} tracks of sound, ${model.description.codec}`,
    by: `how many packets come with each picture: the sample has ${kin.length}`,
    estimated: true,
  }
  return {
    ...sample,
    movie: { ...sample.movie, tracks: [...sample.movie.tracks, ...more] },
    tracks: [...sample.tracks, ...more],
    lessons: [...(sample.lessons ?? []), ...lessons],
    further: [...(sample.further ?? []), fact],
  }
}
