import { mergeRegions, type Region } from '../../bytes/regions.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { CarvedTrack } from '../../recovery/carve.ts'
import { type CameraProfile, interleaveOf } from '../cameras/camera-profile.ts'
import type { Draft, DraftTrack } from '../draft.ts'
import { bytesIn, explainsAsMuch } from '../ways.ts'
import { alikeSounds } from './alike-sounds.ts'
import type { Candidate, DeducedFact, Rate } from './candidates.ts'
import { meantRate } from './clock.ts'
import { clocksOf, delay, type Planned, ratesOf, rescale, setSteps } from './draft-clocks.ts'
import { addOthers, choosePictures, type Part } from './parts.ts'
import { pcmInGaps } from './pcm-gaps.ts'
import { deducedPictures, inBandPictures } from './pictures.ts'
import { firstPayload, spreadPayload } from './places-to-look.ts'
import { deducedPlanes, inBandAv1 } from './planes.ts'
import { adoptedDraft, clockIn, isMarked, withEncoderHabits } from './profile-fit.ts'
import { profilePictures } from './profile-pictures.ts'
import { selfDescribing } from './self-describing.ts'
import { aacTrack, alacTrack } from './sounds.ts'
import { explained, type Ground, tryDraft } from './trial.ts'

/** What a recording's own bytes tell of it where no index and no sample do. */
export interface Deduction {
  readonly draft: Draft
  /** The draft's tracks with the samples of the beginning, to learn the recording's habits from. */
  readonly tracks: readonly DeducedTrack[]
  /** The picture track as it was found, layout and clock apart. */
  readonly pictures: Candidate | undefined
  /** Pictures' rate follows from something; otherwise it is assumed. */
  readonly rateKnown: boolean
  /** The sound's rate follows from the pictures beside it. */
  readonly soundKnown: boolean
  /** Pictures a second as the bitstream has them, none left out. */
  readonly said: Rate | undefined
  /** What each fact rests on, in plain words. */
  readonly facts: readonly DeducedFact[]
  /** Name of the camera whose profile gave the layout. */
  readonly profile?: string
}

/** A track deduced, with its samples in the beginning of the payload. */
export interface DeducedTrack {
  readonly description: TrackDescription
  readonly samples: SampleTable
}

/** Payload in which single codecs are tried. */
const TRIAL_BYTES = 3 << 20
/** Payload in which pictures that describe themselves are looked for. */
const WIDE_BYTES = 24 << 20
/** Payload from which the recording's habits are learned. */
const REHEARSAL_BYTES = 32 << 20
/** Payload searched for parameter sets: its beginning, and pieces spread over the rest. */
const SEARCH_BYTES = 16 << 20
const SPREAD_PIECES = 8
const SPREAD_BYTES = 1 << 20
/** Share of the bytes that a deduction must explain: with less, a sample does better. */
const LEAST_EXPLAINED = 0.5
/** So many pictures are the recording's whatever lies between them: sound that nothing tells may be most of it. */
const MANY_PICTURES = 8
/** Where an Apple Lossless configuration holds the bits of a sample. */
const ALAC_BITS_AT = 5

/** What is known of a file beside its payload. */
export interface Circumstances {
  /** Sampling rates in Hz that its writer uses, the usual first. */
  readonly soundRates: readonly number[]
  /** Whether what survives of its head is as a camera writes it. */
  isWrittenLike(profile: CameraProfile): boolean
  /** Cameras known. */
  readonly library: readonly CameraProfile[]
  /** Tracks that a broken index still describes. */
  readonly remains: readonly Candidate[]
}

/**
 * Works out what a recording consists of from its payload alone, with the help of cameras known. Undefined when too little in it
 * is recognised.
 */
export async function deduce(
  ground: Ground,
  payload: readonly Region[],
  { soundRates, isWrittenLike, library, remains }: Circumstances,
): Promise<Deduction | undefined> {
  const { reader } = ground
  const near = firstPayload(reader, payload, TRIAL_BYTES)
  if (near.length === 0) return undefined
  const searched = mergeRegions([
    ...firstPayload(reader, payload, SEARCH_BYTES),
    ...spreadPayload(payload, SPREAD_PIECES, SPREAD_BYTES),
  ])
  const described = remains.filter(({ track }) => track.kind === 'video')
  let pictures = await choosePictures(ground, near, described)
  pictures ??= await choosePictures(ground, near, inBandPictures(reader, searched))
  let sister: CameraProfile | undefined
  if (!pictures) {
    const [worked] = await deducedPictures(ground, near)
    const isKnown = !worked?.facts?.some(({ estimated }) => estimated)
    const habits = worked && !isKnown ? withEncoderHabits(ground.family, worked, library) : undefined
    sister = habits?.profile
    pictures = await choosePictures(ground, near, habits ? [habits.candidate] : worked ? [worked] : [])
  }
  if (!pictures) {
    const borrowed = await profilePictures(ground, near, library)
    pictures = await choosePictures(ground, near, borrowed ? [borrowed.candidate] : [])
    if (pictures) sister = borrowed?.profile
  }
  if (!pictures) {
    // pictures of studios take megabytes each
    const wide = firstPayload(reader, payload, WIDE_BYTES)
    pictures = await choosePictures(ground, wide, selfDescribing(reader, wide))
  }
  if (!pictures) pictures = await choosePictures(ground, near, deducedPlanes(reader, near))
  if (!pictures) pictures = await choosePictures(ground, near, inBandAv1(reader, searched))
  const parts: Part[] = pictures ? [pictures] : []
  const sounds = remains.filter(({ track }) => track.kind === 'audio')
  await addOthers(ground, pictures?.gaps ?? near, parts, soundRates, sounds)
  const plain: Plan = {
    draft: { tracks: parts.map(({ candidate }) => candidate.track) },
    seen: parts.map(({ table }) => table),
    rate: pictures?.candidate.rate,
    facts: parts.flatMap(({ candidate }) => candidate.facts ?? []),
    pictures: pictures?.candidate,
  }
  const plan = (await profilePlan(ground, near, library, pictures, sister, isWrittenLike, plain)) ?? plain
  return rehearse(ground, firstPayload(reader, payload, REHEARSAL_BYTES), plan, soundRates)
}

/** Tracks to recover with, and what is known of them. */
interface Plan extends Planned {
  /** Units seen of each track. */
  readonly seen: readonly (SampleTable | undefined)[]
  readonly facts: readonly DeducedFact[]
  readonly pictures: Candidate | undefined
}

/**
 * The plan of the camera whose profile fits: one that signs its payload, or writes the same file type and whose encoder was
 * recognised. It must explain as much of the bytes as what was found without it.
 */
async function profilePlan(
  ground: Ground,
  near: readonly Region[],
  library: readonly CameraProfile[],
  pictures: Part | undefined,
  sister: CameraProfile | undefined,
  isWrittenLike: (profile: CameraProfile) => boolean,
  plain: Plan,
): Promise<Plan | undefined> {
  const [profile] = library.filter(
    (candidate) =>
      isMarked(ground.reader, near, candidate) || (candidate === sister && isWrittenLike(candidate)),
  )
  if (!profile) return undefined
  const draft = adoptedDraft(ground.family, profile, pictures?.candidate)
  const at = draft.tracks.findIndex(({ kind }) => kind === 'video')
  const seen = draft.tracks.map((_, i) => (i === at ? pictures?.table : undefined))
  const own = await tryDraft(ground, near, draft, seen, interleaveOf(profile))
  const other = await tryDraft(ground, near, plain.draft, plain.seen)
  if (!own || (other && !explainsAsMuch(explained(own), explained(other)))) return undefined
  const rate = plain.rate ?? rateOf(draft.tracks[at])
  const fact = { what: 'track layout', by: `the profile of ${profile.name}`, estimated: false }
  return { ...plain, draft, seen, rate, facts: [...plain.facts, fact], profile }
}

function rateOf(track: DraftTrack | undefined): Rate | undefined {
  return track && track.unit > 0 ? meantRate({ num: track.timescale, den: track.unit }) : undefined
}

/**
 * Recovers the beginning with the tracks planned, sets their clocks by each other, and hands it over to be learned from.
 * `isPaced` says that the plan's pictures come at the rate that was told so.
 */
async function rehearse(
  ground: Ground,
  beginning: readonly Region[],
  plan: Plan,
  rates: readonly number[],
  isPaced = false,
): Promise<Deduction | undefined> {
  const { draft, seen, profile } = plan
  const tracks = [...draft.tracks]
  const interleave = profile && !isPaced ? interleaveOf(profile) : undefined
  const picture = tracks.findIndex(({ kind }) => kind === 'video')
  const sound = tracks.findIndex(({ kind }) => kind === 'audio')
  const filler = sound < 0 ? unknownBetween(seen[picture]) : 0
  const trial =
    tracks.length > 0 ? await tryDraft(ground, beginning, draft, seen, interleave, filler) : undefined
  const tables = trial ? trial.carved.tracks.map(({ table }) => table) : []
  // what looked like sound here and there is none where every byte is weighed
  if (!profile && trial && sound >= 0 && tables[sound].length === 0)
    return rehearse(ground, beginning, withoutTrack(plan, sound), rates)
  const isAlone = tracks.filter(({ kind }) => kind === 'audio').length === 1
  const alike =
    !profile && trial && isAlone && picture >= 0
      ? alikeSounds(trial, picture, sound, plan.rate, ratesOf(tracks[sound], rates))
      : undefined
  if (alike) return rehearse(ground, beginning, withSounds(plan, sound, alike), rates)
  const facts = [...plan.facts]
  const gaps = trial ? trial.carved.holes : beginning
  const pcm =
    sound < 0
      ? pcmInGaps(ground.reader, gaps, tables[picture], plan.rate, ground.limits.samplesPerTrack)
      : undefined
  const bySound = pcm?.pictureUnsure ? ('unsure' as const) : ('sure' as const)
  const told =
    pcm?.picture && !plan.rate
      ? { ...plan, rate: pcm.picture, bySound }
      : { ...plan, fitsSound: pcm !== undefined && !pcm.unclocked }
  const clocks = trial && clocksOf(trial, told, picture, sound, rates, facts)
  // what pictures took that were lost was counted by the rate they were tried with
  let pace = 1
  if (picture >= 0 && clocks?.picture) {
    const clock = clockIn(tracks[picture], clocks.picture)
    const factor = clock.unit / clock.timescale / (tracks[picture].unit / tracks[picture].timescale)
    const paced = tracks.with(picture, { ...tracks[picture], ...clock })
    // pictures that come at another rate than the profile's are timed by the sound, not by that rate
    if (profile && !isPaced && Math.abs(factor - 1) > OTHER_RATE)
      return rehearse(ground, beginning, { ...plan, draft: { ...draft, tracks: paced } }, rates, true)
    pace = factor
    rescale(tables[picture], clock.unit / tracks[picture].unit)
    if (clocks.steps) setSteps(tables[picture], clocks.steps.at, clock.unit)
    tracks[picture] = paced[picture]
  }
  if (sound >= 0 && clocks && clocks.sound > 0 && clocks.sound !== tracks[sound].timescale) {
    const { codec, channels = 2, config } = trial.descriptions[sound]
    const own =
      codec === 'aac'
        ? aacTrack(clocks.sound, channels)?.track
        : codec === 'alac'
          ? alacTrack(clocks.sound, channels, config[ALAC_BITS_AT]).track
          : undefined
    for (const [i, { kind }] of draft.tracks.entries()) if (own && kind === 'audio') tracks[i] = own
  }
  for (const [i, track] of trial?.carved.tracks.entries() ?? [])
    delay(tables[i], Math.round(delayOf(track) * pace * tracks[i].timescale))
  const bytes = beginning.reduce((sum, region) => sum + region.length, 0)
  if (pcm) {
    for (const table of pcm.tables) {
      tracks.push(pcm.candidate.track)
      tables.push(table)
    }
    // several tracks that none can tell apart pass for one of another rate
    const isLikely = plan.rate !== undefined && pcm.candidate.track.timescale <= USUAL_PCM
    const guessed = pcm.unclocked || (pcm.unsure && !isLikely) ? { guessed: true as const } : {}
    facts.push({ what: 'sound', by: 'how its samples sound', estimated: true, ...guessed })
  }
  const left = bytes - bytesIn(tables)
  const shown = picture < 0 ? 0 : tables[picture].length
  if (tracks.length === 0 || (left > bytes * (1 - LEAST_EXPLAINED) && shown < MANY_PICTURES)) return undefined
  const final = { ...draft, tracks }
  const descriptions = ground.family.describe(final)
  if (!descriptions) return undefined
  return {
    draft: final,
    tracks: descriptions.map((description, i) => ({ description, samples: tables[i] })),
    facts,
    pictures: plan.pictures,
    rateKnown: clocks?.picture !== undefined,
    soundKnown: clocks?.soundKnown ?? false,
    said: plan.rate,
    ...(profile ? { profile: profile.name } : {}),
  }
}

/**
 * Seconds that a track begins late, where a hole behind the beginning of others took its own: at the start of a file nothing
 * tells that yet.
 */
function delayOf({ description, times }: CarvedTrack): number {
  const isBehindOthers = times.losses.some(({ row, hole }) => row === 0 && hole.rows.some((rows) => rows > 0))
  return isBehindOthers ? times.startDelay / description.timescale : 0
}

/** Sampling rate of PCM above which there are rather several tracks, in Hz. */
const USUAL_PCM = 48_000

/** Rates that are further apart than this share are two. */
const OTHER_RATE = 0.05

function withoutTrack(plan: Plan, track: number): Plan {
  const tracks = plan.draft.tracks.filter((_, i) => i !== track)
  return { ...plan, draft: { ...plan.draft, tracks }, seen: plan.seen.filter((_, i) => i !== track) }
}

/** The plan with several tracks of sound for the one at `track`, as its units were dealt to them. */
function withSounds(
  { draft, seen, facts, ...plan }: Plan,
  track: number,
  dealt: readonly SampleTable[],
): Plan {
  const fact = {
    what: `${dealt.length} tracks of sound`,
    by: 'how many packets come with each picture',
    estimated: true,
    guessed: true as const,
  }
  const tracks = draft.tracks.flatMap((own, i) => (i === track ? dealt.map(() => own) : [own]))
  return {
    ...plan,
    draft: { ...draft, tracks },
    seen: draft.tracks.flatMap((_, i) => (i === track ? [...dealt] : [seen[i]])),
    facts: [...facts, fact],
  }
}

/** Share of units behind which bytes of no known track lie, from which on a track nobody knows is there. */
const USUALLY_APART = 0.1
/** Of the stretches between units this share is shorter than the usual one; longer ones are damage. */
const USUAL_STRETCH = 0.9
const LENIENT = 1.5

/** Bytes that usually lie between units of a table, 0 when most units join. */
function unknownBetween(table: SampleTable | undefined): number {
  if (!table) return 0
  const gaps: number[] = []
  for (let row = 1; row < table.length; row++) {
    const gap = table.offset[row] - table.offset[row - 1] - table.size[row - 1]
    if (gap > 0) gaps.push(gap)
  }
  if (gaps.length < table.length * USUALLY_APART) return 0
  gaps.sort((a, b) => a - b)
  return Math.ceil(gaps[Math.floor((gaps.length - 1) * USUAL_STRETCH)] * LENIENT)
}
