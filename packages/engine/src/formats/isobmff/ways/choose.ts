import { distinctDoubts, doubtsThat } from '../../../model/doubt.ts'
import { Findings } from '../../../model/finding.ts'
import type { TrackKind } from '../../../model/report.ts'
import { recordWork } from '../../../recording/flipped-set-bit.ts'
import { coversPayload, pointsPastEnd } from '../../../recording/judge/coverage.ts'
import { findsAll, isShown } from '../../../recording/judge/found-tracks.ts'
import { outlastsPictures } from '../../../recording/judge/outlasting-sound.ts'
import { isTrusted } from '../../../recording/judge/trusted-index.ts'
import { explainsAll } from '../../../recording/judge/unexplained.ts'
import { type Refusal, type Strategies, takeFirst } from '../../../recording/ways.ts'
import type { RepairJob } from '../../format.ts'
import { type Assessment, type HeldIndex, holdIndex } from '../assess.ts'
import { isUsable } from '../diagnose.ts'
import { absentTrack, deduced, encryptedTrack, strangeSample } from '../findings.ts'
import type { EarlyCopy } from '../write/copy-ahead.ts'
import { carveFile, type Teacher } from './carve-file.ts'
import { deduceTeacher } from './deduce-file.ts'
import { withProvenBit } from './descriptions/flipped-set-bit.ts'
import { withProvenSound } from './descriptions/flipped-sound-bit.ts'
import { isIndexHit, mendDescriptions, ownDescription } from './descriptions/mend-descriptions.ts'
import { withObjectTypeOfSamples } from './descriptions/object-type.ts'
import { turnPictures } from './descriptions/turned-pictures.ts'
import { hidesBoxes } from './hidden-boxes.ts'
import { endsOtherwise, isAdrift, isBlind, isLoose, isUnread } from './index/adrift.ts'
import { rivalByCarving } from './index/carve-beside-index.ts'
import { extendIndex } from './index/extend-index.ts'
import { guessesStarts } from './index/fragment-starts.ts'
import { fragmentsWithSample, rebase } from './index/fragments-with-sample.ts'
import { hidesFragments } from './index/hidden-fragments.ts'
import { joinRecordings } from './index/join-recordings.ts'
import { markKeys } from './index/key-marks.ts'
import { withLostTracks } from './index/lost-tracks.ts'
import { countsOtherwise, namesMore } from './index/named-counts.ts'
import { withOwnTimes } from './index/own-times.ts'
import { goneById, goneOf, provesAll } from './index/proven-index.ts'
import { fromSurvivingIndex, type RecoveredTrack } from './index/surviving-index.ts'
import { isPictureSequence } from './picture-sequence.ts'
import { ENCRYPTED, TOO_MANY } from './reasons.ts'
import { type Recovery, summary } from './result.ts'
import { fitTeacher } from './sample/fit-sample.ts'
import { lacksTracks, missesPictures, showsNone, tellsMore } from './sample/foreign-sample.ts'
import { withOwnSoundTracks } from './sample/track-count.ts'
import { restsOnBitstream } from './stated-rate.ts'

/** What of a sample serves where its sample entries do. */
const DESCRIPTIONS = ['codec configuration', 'track layout'] as const

/** What is to be written, a plain reason why nothing can be, or that the payload has to be searched for an index first. */
export type Choice = Made | Refusal
type Made = Recovery | { readonly unsearched: true }

/**
 * Tries the strategies in the order of their evidence; `sample` is what can be learned from the job's sample;
 * `early` copies payload while it is carved.
 */
export async function choose(
  job: RepairJob,
  assessment: Assessment,
  strategies: Strategies,
  sample: Teacher | undefined,
  early?: EarlyCopy,
): Promise<Choice> {
  const { reading, findings } = assessment
  let teacher = sample
  let index = assessment.index
  let borrowed: readonly string[] = []
  if (!index) {
    teacher = teacher
      ? await fitTeacher(
          job,
          assessment,
          await withOwnSoundTracks(job, assessment, teacher, strategies),
          strategies,
        )
      : await deduceTeacher(job, assessment, strategies)
  }
  if (!index && reading.fragments.length > 0 && teacher) {
    index = await fragmentsWithSample(job, reading, teacher.movie, findings)
    borrowed = DESCRIPTIONS
  } else if (index && reading.fragments.length > 0 && teacher) {
    const completed = await withLostTracks(job, reading, index.movie, teacher.movie)
    if (completed) {
      strategies.push({
        name: 'sample-entries',
        outcome: 'lost descriptions of tracks taken from the sample',
      })
      index = completed
      borrowed = DESCRIPTIONS
    }
  }
  if (index && teacher && isIndexHit(assessment, index)) {
    const mended = mendDescriptions(job.damaged.reader, index, teacher)
    if (mended) {
      if (mended.sets)
        strategies.push({
          name: 'own-sets',
          outcome: 'damaged parameter sets of tracks taken from their pictures',
        })
      if (mended.entries)
        strategies.push({
          name: 'sample-entries',
          outcome: 'damaged descriptions of tracks taken from the sample',
        })
      if (mended.facts)
        strategies.push({
          name: 'sample-facts',
          outcome: 'lost headers of movie and tracks taken from the sample',
        })
      borrowed = [
        ...(mended.entries || borrowed.length > 0 ? DESCRIPTIONS : []),
        ...(mended.facts ? ['track headers'] : []),
      ]
      index = await holdIndex(job.damaged.reader, reading, mended.movie, new Findings(0), job.monitor)
    }
  }
  if (index && isIndexHit(assessment, index)) {
    const { reader } = job.damaged
    const work = recordWork(reader)
    const tracks = index.movie.tracks.map(
      (track) =>
        withProvenBit(reader, track, work) ??
        withProvenSound(reader, track) ??
        withObjectTypeOfSamples(reader, track) ??
        track,
    )
    if (tracks.some((track, i) => track !== index?.movie.tracks[i])) {
      strategies.push({
        name: 'proven-sets',
        outcome: 'a flipped bit of codec configurations found by the samples',
      })
      const movie = { ...index.movie, tracks }
      index = await holdIndex(job.damaged.reader, reading, movie, new Findings(0), job.monitor)
    }
  }
  return takeFirst<Made>(
    [
      async () => index && followIndex(job, assessment, index, teacher, borrowed, strategies),
      () => carveAll(job, assessment, index, teacher, strategies, early),
    ],
    refusal(job, assessment),
  )
}

/** An index whose entries fit the bytes beyond chance. */
function fitsBytes({ tracks, checkers, alignment }: HeldIndex): boolean {
  const held = tracks.map((track, i) => ({
    track,
    rows: track.samples.length,
    alignment: alignment.tracks[i],
    weight: checkers[i].weight,
  }))
  return isTrusted(held.filter(({ track }) => isUsable(track)))
}

async function followIndex(
  job: RepairJob,
  assessment: Assessment,
  index: HeldIndex,
  teacher: Teacher | undefined,
  borrowed: readonly string[],
  strategies: Strategies,
): Promise<Recovery | undefined> {
  if (!fitsBytes(index)) {
    strategies.push({ name: 'surviving-index', outcome: 'its entries do not fit the bytes' })
    return undefined
  }
  const { reading } = assessment
  const fragmented = reading.fragments.length > 0
  const name = fragmented ? 'fragments' : 'surviving-index'
  let tracks = fromSurvivingIndex(job.damaged.reader, index, job.options.damagedFrames)
  if (tracks.length === 0) {
    strategies.push({ name, outcome: 'no entry of the index has its bytes' })
    return undefined
  }
  strategies.push({ name, outcome: summary(tracks) })
  // what lies outside an index cannot be told apart where tracks are encrypted
  const hidden = index.tracks.some(({ protection }) => protection)
  const extension = hidden ? undefined : await extendIndex(job, reading, index, tracks)
  if (extension) {
    tracks = extension.tracks
    strategies.push({ name: 'carve', outcome: `${extension.added} units found outside the index` })
  }
  if (fragmented) rebase(tracks)
  else markKeys(job.damaged.reader, tracks)
  const whole = isWhole(assessment, index)
  const recovery: Recovery = {
    movie: index.movie,
    tracks: whole && !extension ? tracks.map((track) => ({ ...track, placed: true as const })) : tracks,
    sampleUsed: teacher?.origin === 'sample' ? borrowed : [],
    doubts: doubtsThat({
      indexCut: !describesAll(index, assessment),
      indexHit: !whole && !provesAll(job.damaged.reader, assessment, index, tracks, extension?.named ?? []),
      unexplained: extension
        ? extension.unexplained > 0
        : index.unindexed.length > 0 || hidesFragments(job.damaged.reader, assessment, index),
      // none of a track's entries is in the file, though there are bytes that no entry names
      missing:
        !findsAll(kindsNamed(index), kindsOf(tracks)) &&
        !coversPayload(job.damaged.reader, index, reading.survey.payload),
      ends:
        (extension?.endsEstimated ?? false) ||
        index.tracks.some(({ tables, description }) => tables.sizesGuessed && isUnread(description)),
      times:
        fragmented &&
        tracks.some((track) => {
          const { durationsGuessed, orderGuessed } = track.plan.template.tables
          return track.timesDoubtful || durationsGuessed || orderGuessed || guessesStarts(track)
        }),
      assumed: teacher?.assumed ?? false,
      moved:
        isAdrift(reading, index) ||
        isLoose(index) ||
        (endsOtherwise(assessment) && isBlind(reading, index, job.damaged.reader.size)),
    }),
  }
  if (fragmented) return recovery
  const rival = (await rivalByCarving(job, assessment, index, teacher, recovery, strategies)) ?? recovery
  // flipped bits may have cost the places of samples that are there
  const hit = assessment.findings.has('isobmff.table-mended') || pointsPastEnd(job.damaged.reader, index)
  const lossy =
    hit &&
    (losesMuch(rival, goneById(job.damaged.reader, index, assessment.findings)) ||
      namesMore(index.tracks, goneOf(job.damaged.reader, index, assessment.findings), rival.tracks))
  const doubts = [
    ...rival.doubts,
    ...doubtsThat({ indexLossy: lossy, times: countsOtherwise(index.tracks, rival.tracks) }),
  ]
  const best = { ...rival, doubts: distinctDoubts(doubts) }
  return (await joinRecordings(job, assessment, best, strategies)) ?? best
}

/** Share of a track's samples whose loss is much. */
const MUCH = 0.1

/** Whether much of a track is lost beside what is `gone` for certain, by the track's id. */
function losesMuch({ tracks }: Recovery, gone: ReadonlyMap<number, number>): boolean {
  return tracks.some(({ plan, outcome: { recovered, damaged, lost } }) => {
    const certain = gone.get(plan.template.description.id) ?? 0
    return lost - certain > (recovered + damaged + lost) * MUCH
  })
}

/** True for an index that has lost nothing; what it leaves out of the payload is meant. */
function isWhole(assessment: Assessment, index: HeldIndex): boolean {
  return !isIndexHit(assessment, index) && !assessment.findings.has('isobmff.init-missing')
}

/** True when the movie box names every track it had, with tables, whether or not their bytes survive. */
function describesAll(index: HeldIndex, assessment: Assessment): boolean {
  if (assessment.findings.has('isobmff.moov-truncated')) return false
  return index.movie.tracks.every(
    (track) => track.external || (track.sampleDescription.length > 0 && track.samples.length > 0),
  )
}

async function carveAll(
  job: RepairJob,
  assessment: Assessment,
  index: HeldIndex | undefined,
  teacher: Teacher | undefined,
  strategies: Strategies,
  early: EarlyCopy | undefined,
): Promise<Choice | undefined> {
  const { reading } = assessment
  const { remnant } = reading
  const held = index && index.movie.box === reading.movie?.box ? ownDescription(index) : undefined
  const own = held ?? (remnant && { movie: remnant, tracks: [] })
  const ownTracks = own?.tracks.filter(isUsable) ?? []
  const source: Teacher | undefined =
    teacher ??
    (own && ownTracks.length > 0
      ? { reader: job.damaged.reader, movie: own.movie, tracks: ownTracks, origin: 'index' }
      : index && (await deduceTeacher(job, assessment, strategies)))
  if (!source) return undefined
  const hidden = source.tracks.filter(({ protection }) => protection)
  if (hidden.length === source.tracks.length) return { reason: ENCRYPTED }
  for (const { description } of hidden) assessment.findings.add(encryptedTrack(description.id))
  const payload = reading.survey.payload
  if (payload.length === 0) return { reason: 'The file contains no media data.' }
  const carved = await carveFile(job, payload, source, own, early)
  if (!carved) return { reason: TOO_MANY }
  if (!reading.searched && (await hidesBoxes(job.damaged.reader, carved.holes, job.monitor))) {
    return { unsearched: true }
  }
  const missed =
    carved.tracks.length === 0 || (source.origin === 'sample' && missesPictures(source, carved, payload))
  if (source.origin === 'sample' && (missed || lacksTracks(carved, payload))) {
    const own = await tellsMore(job, assessment, carved, missed)
    if (own) {
      await early?.discard()
      strategies.push(...own.strategies)
      assessment.findings.add(strangeSample(missed))
      assessment.findings.join(own.findings)
      return carveAll(job, assessment, index, own.teacher, strategies, undefined)
    }
  }
  if (carved.tracks.length === 0) {
    strategies.push({ name: 'carve', outcome: 'no unit of any track found' })
    return job.sample
      ? { reason: 'No picture or sound of the kind in the sample was found in the file.' }
      : undefined
  }
  strategies.push({ name: 'carve', outcome: summary(carved.tracks) })
  for (const { id, codec } of carved.absent) assessment.findings.add(absentTrack(id, codec))
  for (const { what, by, estimated } of carved.further) assessment.findings.add(deduced(what, by, estimated))
  if (carved.endsEstimated)
    assessment.findings.add(
      deduced('ends of packets that carry no length', 'the likeliest reading of the bytes', true),
    )
  if (missed) {
    return {
      reason:
        'No picture of the kind in the sample was found in the file: a sample from the same camera with the same settings is needed.',
    }
  }
  const tracks = withOwnTimes(carved.tracks, own?.movie)
  return {
    movie: carved.movie,
    tracks: turnPictures(job.damaged.reader, tracks, source, assessment.findings),
    sampleUsed: source.used ?? (source.origin === 'sample' ? [...DESCRIPTIONS, 'timing'] : []),
    // where packets end was not proved: nobody can say that each is as it was
    // nor where pictures of a variable rate were, when, or any where nothing tells a rate
    doubts: doubtsThat({
      assumed: source.assumed ?? false,
      statedRate: restsOnBitstream(source, tracks, reading.movie ?? remnant),
      unexplained:
        !explainsAll(carved.unexplained, payload) ||
        outlastsPictures(
          carved.tracks.map(({ plan }) => ({ description: plan.template.description, table: plan.table })),
        ),
      encrypted: hidden.length > 0,
      ends: carved.endsEstimated || carved.tracks.some(({ plan }) => isUnread(plan.template.description)),
      times: tracks.some(
        ({ timesDoubtful, plan }) => timesDoubtful && isShown(plan.template.description.kind),
      ),
      // sound alone may be what other bytes pass for
      missing: !findsAll(kindsNamed(index), kindsOf(carved.tracks)) || showsNone(source, carved),
      indexLossy:
        index !== undefined &&
        namesMore(index.tracks, goneOf(job.damaged.reader, index, assessment.findings), carved.tracks),
      further: carved.further.length > 0,
      // how many pictures a photo's sequence had, and how long each is shown, the index alone tells
      frames: isPictureSequence(carved.movie),
    }),
  }
}

/** The kinds of the tracks of which an index names samples. */
function kindsNamed(index: HeldIndex | undefined): TrackKind[] {
  const tracks = index?.tracks.filter(({ samples }) => samples.length > 0) ?? []
  return tracks.map(({ description }) => description.kind)
}

function kindsOf(tracks: readonly RecoveredTrack[]): TrackKind[] {
  return tracks.map(({ plan }) => plan.template.description.kind)
}

function refusal(job: RepairJob, assessment: Assessment): string {
  if (job.sample) return 'The sample has no track that can be read.'
  if (assessment.reading.fragments.length > 0)
    return 'The description of the tracks is lost: a sample from the same camera is needed.'
  return 'The index is lost: a sample from the same camera is needed.'
}
