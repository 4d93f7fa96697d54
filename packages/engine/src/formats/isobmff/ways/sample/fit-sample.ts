import type { ByteReader } from '../../../../bytes/reader.ts'
import type { Region } from '../../../../bytes/regions.ts'
import { parseAvcC } from '../../../../codecs/h264/avcc.ts'
import { type LooseSlice, looseSlices } from '../../../../codecs/h264/loose-slices.ts'
import { headersAgree, headersContradict, readsAs } from '../../../../codecs/h264/prove-sets.ts'
import { toldDepth } from '../../../../codecs/hevc/bit-depth.ts'
import { parseHvcC } from '../../../../codecs/hevc/hvcc.ts'
import { readsAs as readsAsHevc } from '../../../../codecs/hevc/prove-size.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import { SAMPLE_KEY } from '../../../../model/sample-table.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import type { Candidate, DeducedFact } from '../../../../recording/deduce/candidates.ts'
import { firstPayload } from '../../../../recording/deduce/places-to-look.ts'
import { sweep } from '../../../../recording/deduce/sweep.ts'
import type { Ground } from '../../../../recording/deduce/trial.ts'
import { bytesIn, explainsAsMuch, type Strategies } from '../../../../recording/ways.ts'
import type { Carved } from '../../../../recovery/carve.ts'
import { lookAlike } from '../../../../recovery/telling-apart/look-alikes.ts'
import type { RepairJob } from '../../../format.ts'
import type { Assessment } from '../../assess.ts'
import { deduced, otherSettings } from '../../findings.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { ISO_DRAFTS } from '../../write/iso-drafts.ts'
import type { Teacher } from '../carve-file.ts'
import { type DeducedMovie, deduceReading } from '../deduce-reading.ts'
import { counterpartOf, withHabitsOf } from '../descriptions/track-facts.ts'
import { makeProfile } from '../make-profile.ts'
import { carveLike } from './first-look.ts'
import { hasOtherPlainSound } from './pcm-layout.ts'
import { type Graft, otherPictures, withOwnPictures } from './picture-coding.ts'
import {
  atRate,
  carvedRate,
  commonestRate,
  constantRate,
  draftLike,
  OTHER_RATE,
  type OwnRate,
} from './picture-rate.ts'
import { picturesReadAs } from './read-pictures-as.ts'
import { clocksCarved, clocksHeard, hear } from './sampling-rate.ts'
import { withOwnChannels, withOwnSoundRates } from './sound-coding.ts'

/** Payload in which the sample's configuration is tried. */
const TRIAL_BYTES = 3 << 20
/** The same where no whole key picture lies there: behind a lost head, in groups of pictures of ten seconds. */
const WIDE_BYTES = 32 << 20
/** Share of the bytes that a sampling rate reads which another one must read to be as likely. */
const READS_AS_WELL = 0.98
/** Slices looked at, one for so many bytes. */
const BYTES_A_SLICE = 24 << 10
const FEWEST_SLICES = 120
/** Pictures that make a configuration tried at all. */
const FEWEST_PICTURES = 3
/** What the sample is called where its facts serve as a camera's profile. */
const SAMPLE_NAME = 'the sample'

/**
 * Recognises a sample of other settings: pictures of the damaged file do not read with its configuration, or say another size,
 * and do read with a configuration worked out from the payload. That one is taken, with what of the sample still holds:
 * everything but the pictures, or where less of the file is found so, what the payload tells by itself. Says in the findings what
 * differs. The sample itself where it fits or nothing better is known.
 */
export async function fitTeacher(
  job: RepairJob,
  assessment: Assessment,
  sample: Teacher,
  strategies: Strategies,
): Promise<Teacher> {
  const [picture, ...more] = sample.tracks.filter(({ description }) => description.kind === 'video')
  if (!picture || sample.tracks.some(({ protection }) => protection)) return sample
  const { reader } = job.damaged
  const ground: Ground = { reader, limits: job.limits, monitor: job.monitor, family: ISO_DRAFTS }
  const near = firstPayload(reader, assessment.reading.survey.payload, TRIAL_BYTES)
  if (near.length === 0) return sample
  const facts = makeProfile(sample.reader, sample.movie, SAMPLE_NAME, job.limits)
  const tell = (tracks: readonly MovieTrack[], deductions: readonly DeducedFact[]): void => {
    const differences = compare(sample.tracks, tracks)
    assessment.findings.add(otherSettings(differences))
    for (const { what, by, estimated } of deductions) assessment.findings.add(deduced(what, by, estimated))
    const outcome = `the sample is of other settings: ${differences.join('; ')}`
    strategies.push({ name: 'sample-check', outcome })
  }
  const take = (graft: Graft, pace: OwnRate, deductions: readonly DeducedFact[] = []): Teacher => {
    tell(graft.teacher.tracks, deductions)
    const theirs = pace.leftOut ? commonestRate(graft.picture) : constantRate(graft.picture)
    const even = atRate(graft.teacher, graft.picture, assessment, pace.rate, theirs)
    const paced = pace.leftOut ? { ...even, leavesOut: picture.description.id } : even
    if (pace.known) return paced
    assessment.findings.add(deduced('frame rate', 'the sample, though it is of other settings', true))
    return { ...paced, assumed: true }
  }
  if (isProvable(picture.description)) {
    const wide = firstPayload(reader, assessment.reading.survey.payload, WIDE_BYTES)
    // the only key picture near the beginning may be a damaged one
    const isFit =
      (await fits(ground, near, picture)) ||
      ((await fits(ground, wide, picture)) ?? agrees(ground, wide, picture)) ||
      (await readsWhole(ground, near, sample, picture))
    if (isFit) {
      return (
        (await fittedSound(ground, near, sample, picture, assessment, tell)) ??
        (await ownPlainSound(ground, near, sample, picture, assessment, tell)) ??
        sample
      )
    }
  } else {
    const own = more.length === 0 ? otherPictures(reader, near, sample, picture) : undefined
    // what encoders do is alike in all sizes
    const graft = facts && own && withOwnPictures(sample, picture, facts, own, reader)
    if (graft && own)
      return take(graft, paceOf(await carveLike(ground, near, graft.teacher), graft, own), own.facts)
    if (await mayBeThere(ground, near, picture))
      return (await ownPlainSound(ground, near, sample, picture, assessment, tell)) ?? sample
  }
  // the layout of a sample with other plain sound would give that its length
  const isOther = await hasOtherPlainSound(ground, near, sample, picture)
  const found = await deduceReading(ground, assessment.reading, facts && !isOther ? [facts] : [])
  const shown = found?.tracks.find(({ description }) => description.kind === 'video')
  if (!found || !shown) return isProvable(picture.description) ? { ...sample, assumed: true } : sample
  if (!isOther && sameConfiguration(shown.description, picture.description)) return sample
  const other = deducedTeacher(reader, sample, found)
  const own = found.pictures
  const graft = facts && own && withOwnPictures(sample, picture, facts, own, reader, shown)
  if (graft && own && !isOther && !tellsOtherSound(other, graft, found)) {
    const carved = await carveLike(ground, near, graft.teacher)
    const alone = await carveLike(ground, near, other)
    const pace = paceOf(carved, graft, own)
    const isPaced = pace.known || constantRate(picture) !== undefined || !found.rateKnown
    // a variable rate is one of the sample's camera, and pictures of another codec are hardly that camera's
    const isStranger =
      shown.description.codec !== picture.description.codec &&
      constantRate(picture) === undefined &&
      found.rateKnown &&
      explainsAsMuch(bytesOf(alone), bytesOf(carved))
    const { sound } = clocksCarved(carved, graft.teacher, graft.picture)
    const isOtherSound = sound !== undefined && sound === soundOf(other)?.sampleRate
    if (isPaced && !isStranger && !isOtherSound && explainsAsMuch(bytesOf(carved), bytesOf(alone)))
      return take(graft, pace, own.facts)
  }
  tell(found.tracks, found.facts)
  return other
}

/**
 * The sample with the damaged file's channels, sampling rate and rate of pictures, as far as its AAC tells them and they are
 * others; undefined where no AAC is found. `tell` is told of other sound.
 */
async function fittedSound(
  ground: Ground,
  near: readonly Region[],
  sample: Teacher,
  picture: MovieTrack,
  assessment: Assessment,
  tell: (tracks: readonly MovieTrack[], deductions: readonly DeducedFact[]) => void,
): Promise<Teacher | undefined> {
  const first = await hear(ground, near, sample, picture)
  if (!first) return undefined
  const isAlone = first.tracks.length === 1
  const voiced = isAlone
    ? withOwnChannels(ground.reader, first.sounds.table, sample, first.tracks[0])
    : sample
  // frames of other channels are found where they are looked for
  const heard = voiced === sample ? first : await hear(ground, near, voiced, picture)
  if (!heard) return undefined
  const quick = clocksHeard(heard, picture)
  // a count that is a few frames short shows other clocks than there are, and one of several tracks' pictures tells none of them
  const clocks =
    (quick.strange && isAlone) || hasTwin(sample, picture)
      ? clocksCarved(await carveLike(ground, near, voiced), voiced, picture)
      : quick
  const paced = clocks.sound ? withOwnSoundRates(voiced, heard.tracks, clocks.sound) : undefined
  // frames of the lower rate may have more bands than the higher one's syntax has
  const again = paced && clocks.guessed ? await hear(ground, near, paced, picture) : undefined
  const isRefuted = again !== undefined && again.sounds.bytes < heard.sounds.bytes * READS_AS_WELL
  const sounding = isRefuted ? voiced : (paced ?? voiced)
  if (sounding !== sample) tell(sounding.tracks, [])
  const own = clocks.leftOut ? { ...sounding, leavesOut: picture.description.id } : sounding
  if (isRefuted) return atRate(own, picture, assessment, clocks.picture)
  if (clocks.guessed) {
    const timed = atRate(own, picture, assessment, paced ? undefined : clocks.picture)
    return { ...timed, assumed: true }
  }
  if (paced || !clocks.strange) return atRate(own, picture, assessment, clocks.picture)
  return { ...own, assumed: true }
}

/** Whether another track's pictures pass for those of `picture`: two cameras of one device. */
function hasTwin({ reader, tracks }: Teacher, picture: MovieTrack): boolean {
  const recorded = ({ description, samples }: MovieTrack) => ({ description, table: samples })
  return tracks.some((track) => track !== picture && lookAlike(reader, recorded(track), recorded(picture)))
}

/**
 * What the payload tells by itself where its plain sound is not as the sample's; undefined where it is, or that explains less of
 * the payload. `tell` is told of what is.
 */
async function ownPlainSound(
  ground: Ground,
  near: readonly Region[],
  sample: Teacher,
  picture: MovieTrack,
  { reading }: Assessment,
  tell: (tracks: readonly MovieTrack[], deductions: readonly DeducedFact[]) => void,
): Promise<Teacher | undefined> {
  if (!(await hasOtherPlainSound(ground, near, sample, picture))) return undefined
  const found = await deduceReading(ground, reading, [])
  const own = found && deducedTeacher(ground.reader, sample, found)
  if (!own || soundOf(own)?.codec !== 'pcm') return { ...sample, assumed: true }
  const [alone, carved] = [await carveLike(ground, near, own), await carveLike(ground, near, sample)]
  if (!explainsAsMuch(bytesOf(alone), bytesOf(carved)) || picturesIn(alone) < picturesIn(carved))
    return { ...sample, assumed: true }
  tell(found.tracks, found.facts)
  // nothing but the file itself tells how much of each was lost
  return alone.holes.length > 0 ? { ...own, assumed: true } : own
}

function picturesIn({ tracks }: Carved): number {
  return tracks.find(({ description }) => description.kind === 'video')?.table.length ?? 0
}

function paceOf(carved: Carved, { teacher, picture }: Graft, { rate, leftOut }: Candidate): OwnRate {
  if (!rate) return carvedRate(carved, teacher, picture)
  return { rate, known: true, ...(leftOut ? { leftOut } : {}) }
}

/** Whether pictures of the track's codec are found, or are of a kind that is not found by itself. */
async function mayBeThere(ground: Ground, near: readonly Region[], track: MovieTrack): Promise<boolean> {
  const { description } = track
  if (!codecNamed(description.codec)?.recogniser(description)?.selfDelimiting) return true
  const found = await sweep(ground, near, draftLike(track))
  return found !== undefined && found.table.length >= FEWEST_PICTURES
}

/** What the payload tells by itself, with the sample's habits where its tracks have counterparts. */
function deducedTeacher(reader: ByteReader, sample: Teacher, found: DeducedMovie): Teacher {
  const tracks = found.tracks.map((track) => {
    const alike = counterpartOf(track, found.tracks, sample.tracks)
    return alike ? withHabitsOf(track, alike) : track
  })
  const movie = { ...found.movie, header: { ...found.movie.header, tail: sample.movie.header.tail } }
  const assumed = found.facts.some(({ guessed }) => guessed)
  return { reader, movie, tracks, origin: 'payload', used: usedOf(found), assumed }
}

/** Whether the sound shows that it is not as the sample's: its channels, or by the pictures beside it its rate. */
function tellsOtherSound(
  other: Teacher,
  { teacher, picture }: Graft,
  { soundKnown, pictures }: DeducedMovie,
): boolean {
  const [ours, theirs] = [soundOf(other), soundOf(teacher)]
  if (!ours || !theirs || ours.codec !== theirs.codec) return false
  if (ours.channels !== theirs.channels) return true
  if (ours.sampleRate === theirs.sampleRate) return false
  return soundKnown && (pictures?.rate !== undefined || isPacedLike(other.tracks, picture))
}

function soundOf({ tracks }: Teacher): TrackDescription | undefined {
  return tracks.find(({ description }) => description.kind === 'audio')?.description
}

/**
 * Whether pictures come as often as the sample's: then they tell the sound's rate. Where both differ, it is rather that pictures
 * were left out.
 */
function isPacedLike(tracks: readonly MovieTrack[], picture: MovieTrack): boolean {
  const own = tracks.find(({ description }) => description.kind === 'video')
  const [ours, theirs] = [own && constantRate(own), constantRate(picture)]
  return ours !== undefined && theirs !== undefined && Math.abs(ours / theirs - 1) < OTHER_RATE
}

/** Bytes in units of all tracks. */
function bytesOf({ tracks }: Carved): number {
  return bytesIn(tracks.map(({ table }) => table))
}

/** Only these tell from their key pictures whether a configuration is theirs. */
function isProvable({ codec, framing }: TrackDescription): boolean {
  return (codec === 'h264' || codec === 'hevc') && framing === 'length'
}

/**
 * Whether some key picture in the regions reads to its last bit with the track's configuration; undefined where none lies there
 * that could tell.
 */
async function fits(
  ground: Ground,
  regions: readonly Region[],
  track: MovieTrack,
): Promise<boolean | undefined> {
  const { codec, config } = track.description
  if (codec === 'h264') {
    const sets = parseAvcC(config)
    if (!sets) return false
    const slices = slicesIn(ground.reader, regions)
    if (headersContradict(ground.reader, slices, sets)) return false
    return readsAs(ground.reader, slices, sets)
  }
  const sets = parseHvcC(config)
  const found = await sweep(ground, regions, draftLike(track))
  if (!sets || !found || found.table.length < FEWEST_PICTURES) return false
  const { table } = found
  const keys = Array.from({ length: table.length }, (_, row) => row)
    .filter((row) => (table.flags[row] & SAMPLE_KEY) !== 0)
    .map((row) => ({ offset: table.offset[row], length: table.size[row] }))
  if (keys.length === 0) return undefined
  const depth = toldDepth(ground.reader, keys, sets)
  return readsAsHevc(ground.reader, keys, sets) && (!depth || depth === sets.sps[0]?.bitDepthLuma)
}

/** Whether headers of pictures read with the configuration of a track, where no key picture is there to tell more. */
function agrees({ reader }: Ground, regions: readonly Region[], { description }: MovieTrack): boolean {
  const sets = description.codec === 'h264' ? parseAvcC(description.config) : undefined
  return sets !== undefined && headersAgree(reader, slicesIn(reader, regions), sets)
}

/** Whether pictures carved with the sample read with its configuration, where the key pictures were hit. */
async function readsWhole(
  ground: Ground,
  near: readonly Region[],
  sample: Teacher,
  picture: MovieTrack,
): Promise<boolean> {
  const carved = await carveLike(ground, near, sample)
  const table = carved.tracks[sample.tracks.indexOf(picture)]?.table
  return table !== undefined && picturesReadAs(ground.reader, table, picture.description)
}

/** Slices in pieces of the regions: chance offers longer ones that would hide all others. */
function slicesIn(reader: ByteReader, regions: readonly Region[]): LooseSlice[] {
  const slices: LooseSlice[] = []
  for (const { offset, length } of regions) {
    for (let from = offset; from < offset + length; from += TRIAL_BYTES) {
      const end = Math.min(offset + length, from + TRIAL_BYTES)
      slices.push(
        ...looseSlices(reader, from, end, Math.max(FEWEST_SLICES, Math.ceil((end - from) / BYTES_A_SLICE))),
      )
    }
  }
  return slices
}

function sameConfiguration(a: TrackDescription, b: TrackDescription): boolean {
  return a.codec === b.codec && a.width === b.width && a.height === b.height && sameBytes(a.config, b.config)
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** What differs, in plain numbers: the sample's first. */
function compare(sample: readonly MovieTrack[], own: readonly MovieTrack[]): string[] {
  const differences: string[] = []
  const kinds = ['video', 'audio'] as const
  for (const kind of kinds) {
    const theirs = sample.find(({ description }) => description.kind === kind)?.description
    const ours = own.find(({ description }) => description.kind === kind)?.description
    if (!theirs || !ours) {
      if (theirs || ours)
        differences.push(
          `${kind}: ${theirs ? theirs.codec : 'none'} in the sample, ${ours ? ours.codec : 'none found'} in the file`,
        )
      continue
    }
    const [before, after] = [spell(theirs), spell(ours)]
    differences.push(
      before === after
        ? `${kind}: ${before} in both, another configuration`
        : `${kind}: ${before} in the sample, ${after} in the file`,
    )
  }
  return differences.filter((line) => !line.startsWith('audio') || !line.includes('another configuration'))
}

function spell({ codec, width, height, sampleRate, channels }: TrackDescription): string {
  if (width !== undefined) return `${codec} ${width}x${height}`
  return `${codec} ${sampleRate} Hz, ${channels} ${channels === 1 ? 'channel' : 'channels'}`
}

/** What of the sample served after all. */
function usedOf(found: DeducedMovie): string[] {
  const used: string[] = []
  if (found.profile === SAMPLE_NAME) used.push('track layout')
  if (found.facts.some(({ by }) => by.includes(SAMPLE_NAME))) used.push('habits of the encoder')
  return used
}
