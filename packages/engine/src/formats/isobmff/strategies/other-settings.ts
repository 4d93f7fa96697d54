import { parseAvcC } from '../../../codecs/h264/avcc.ts'
import { looseSlices } from '../../../codecs/h264/loose-slices.ts'
import { headersReadAs, readsAs } from '../../../codecs/h264/prove-sets.ts'
import { parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import { readsAs as readsAsHevc } from '../../../codecs/hevc/prove-size.ts'
import { SAMPLE_KEY, SampleTable } from '../../../model/sample-table.ts'
import type { TrackDescription } from '../../../model/track.ts'
import type { RepairJob } from '../../format.ts'
import type { Assessment } from '../assess.ts'
import { agree, tally } from '../deduce/clock.ts'
import type { Deduction } from '../deduce/deduce.ts'
import type { DraftTrack } from '../deduce/draft.ts'
import { deduceReading } from '../deduce/from-reading.ts'
import { firstPayload } from '../deduce/ground.ts'
import { inBandPictures } from '../deduce/pictures.ts'
import { sweep } from '../deduce/sweep.ts'
import type { Ground } from '../deduce/trial.ts'
import { deduced, otherSettings } from '../findings.ts'
import type { MovieTrack } from '../movie.ts'
import { makeProfile } from '../profiles/make-profile.ts'
import type { Region } from '../regions.ts'
import type { Teacher } from './carve.ts'
import { counterpartOf, withHabitsOf } from './track-facts.ts'

/** Payload in which the sample's configuration is tried. */
const TRIAL_BYTES = 3 << 20
/** Slices looked at. */
const MOST_SLICES = 120
/** Pictures that make a configuration tried at all. */
const FEWEST_PICTURES = 3
/** What the sample is called where its facts serve as a camera's profile. */
const SAMPLE_NAME = 'the sample'

/**
 * Recognises a sample of other settings: where key pictures of the damaged file do not read with the sample's configuration, and do
 * with one worked out from the payload, that one is taken, with what of the sample still holds (track layout, sound, encoder).
 * Says in the findings what differs. The sample itself where it fits or nothing better is known.
 */
export async function fitTeacher(
  job: RepairJob,
  assessment: Assessment,
  sample: Teacher,
  strategies: { name: string; outcome: string }[],
): Promise<Teacher> {
  const picture = sample.tracks.find(({ description }) => description.kind === 'video')
  if (!picture || !isProvable(picture.description)) return sample
  const { reader } = job.damaged
  const ground: Ground = { reader, limits: job.limits, monitor: job.monitor }
  const near = firstPayload(reader, assessment.reading.survey.payload, TRIAL_BYTES)
  if (near.length === 0) return sample
  if (await fits(ground, near, picture)) return atOwnRate(ground, near, sample, picture, assessment)
  const facts = makeProfile(sample.reader, sample.movie, SAMPLE_NAME, job.limits)
  const found = await deduceReading(ground, assessment.reading, facts ? [facts] : [])
  const other = found?.tracks.find(({ description }) => description.kind === 'video')
  if (!found || !other || sameConfiguration(other.description, picture.description)) return sample
  const differences = compare(sample.tracks, found.tracks)
  assessment.findings.add(otherSettings(differences))
  for (const { what, by, estimated } of found.facts) assessment.findings.add(deduced(what, by, estimated))
  const outcome = `the sample is of other settings: ${differences.join('; ')}`
  strategies.push({ name: 'sample-check', outcome })
  const tracks = found.tracks.map((track) => {
    const alike = counterpartOf(track, found.tracks, sample.tracks)
    return alike ? withHabitsOf(track, alike) : track
  })
  const movie = { ...found.movie, header: { ...found.movie.header, tail: sample.movie.header.tail } }
  return { reader, movie, tracks, origin: 'payload', used: usedOf(found) }
}

/** Only these tell from their key pictures whether a configuration is theirs. */
function isProvable({ codec, framing }: TrackDescription): boolean {
  return (codec === 'h264' || codec === 'hevc') && framing === 'length'
}

/**
 * Whether some key picture near the beginning reads to its last bit with the track's configuration. Interlaced pictures are not read:
 * their headers speak for it, where the file has no parameter sets of its own.
 */
async function fits(ground: Ground, near: readonly Region[], track: MovieTrack): Promise<boolean> {
  const { codec, config } = track.description
  if (codec === 'h264') {
    const sets = parseAvcC(config)
    const slices = near.flatMap(({ offset, length }) =>
      looseSlices(ground.reader, offset, offset + length, MOST_SLICES),
    )
    if (!sets || readsAs(ground.reader, slices, sets)) return sets !== undefined
    return (
      sets.sps[0]?.frameMbsOnly === false &&
      headersReadAs(ground.reader, slices, sets) &&
      inBandPictures(ground.reader, near).length === 0
    )
  }
  const sets = parseHvcC(config)
  const found = await sweep(ground, near, {
    ...{ handler: 'vide', timescale: track.description.timescale, unit: 1 },
    entry: track.entries[0]?.bytes ?? new Uint8Array(0),
  })
  if (!sets || !found || found.table.length < FEWEST_PICTURES) return false
  const { table } = found
  const keys = Array.from({ length: table.length }, (_, row) => row)
    .filter((row) => (table.flags[row] & SAMPLE_KEY) !== 0)
    .map((row) => ({ offset: table.offset[row], length: table.size[row] }))
  return readsAsHevc(ground.reader, keys, sets)
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
function usedOf(found: Deduction): string[] {
  const used: string[] = []
  if (found.profile === SAMPLE_NAME) used.push('track layout')
  if (found.facts.some(({ by }) => by.includes(SAMPLE_NAME))) used.push('habits of the encoder')
  return used
}

/** Rates differ when they are further apart than this; below, clocks drift. */
const OTHER_RATE = 0.05

/**
 * The sample with its pictures at the damaged file's rate, where that is another: as many of them come with as much sound as at
 * another usual rate. Only of a sample of constant rate, whose pictures are where its sound is.
 */
async function atOwnRate(
  ground: Ground,
  near: readonly Region[],
  sample: Teacher,
  picture: MovieTrack,
  assessment: Assessment,
): Promise<Teacher> {
  const [sound, ...more] = sample.tracks.filter(({ description }) => description.codec === 'aac')
  const theirs = constantRate(picture)
  // units of several tracks with the same codec would be counted together
  if (!sound || more.length > 0 || !theirs) return sample
  const pictures = await sweep(ground, near, draftLike(picture))
  const sounds = pictures && (await sweep(ground, pictures.gaps, draftLike(sound)))
  if (!pictures || !sounds) return sample
  const counted = tally(pictures.table, sounds.table, sounds.gaps)
  const { timescale } = sound.description
  const own = agree(counted, undefined, [timescale], unitOf(sound))
  if (!counted.level || !own.picture || !own.soundKnown) return sample
  const factor = theirs / (own.picture.num / own.picture.den)
  if (Math.abs(factor - 1) < OTHER_RATE) return sample
  const ours = Number((theirs / factor).toFixed(3))
  assessment.findings.add(
    otherSettings([`pictures: ${Number(theirs.toFixed(3))} a second in the sample, ${ours} in the file`]),
  )
  const tracks = sample.tracks.map((track) =>
    track === picture ? { ...track, samples: rescaled(track.samples, factor, ground) } : track,
  )
  return { ...sample, tracks }
}

function draftLike(track: MovieTrack): DraftTrack {
  return {
    ...{ handler: track.handlerType, timescale: track.description.timescale, unit: 1 },
    entry: track.entries[0]?.bytes ?? new Uint8Array(0),
  }
}

/** Pictures a second of a track whose samples all last equally long, or nearly; undefined for others. */
function constantRate({ samples, description }: MovieTrack): number | undefined {
  const first = samples.duration[0]
  for (let row = 1; row < samples.length - 1; row++)
    if (Math.abs(samples.duration[row] - first) > 1) return undefined
  return samples.length > 1 && first > 0 ? description.timescale / meanUnit(samples) : undefined
}

function meanUnit(samples: SampleTable): number {
  return (samples.dts[samples.length - 1] - samples.dts[0]) / (samples.length - 1)
}

function unitOf({ samples }: MovieTrack): number {
  return samples.length > 1 ? samples.duration[1] : (samples.duration[0] ?? 1024)
}

/** A copy of a table with its times at another clock. */
function rescaled(samples: SampleTable, factor: number, ground: Ground): SampleTable {
  const copy = new SampleTable(ground.limits.samplesPerTrack)
  for (let row = 0; row < samples.length; row++) {
    const { offset, size, count, duration, order, flags } = samples
    copy.push(offset[row], size[row], count[row], duration[row] * factor, order[row], flags[row])
    copy.dts[row] = samples.dts[row] * factor
    copy.cts[row] = Math.round(samples.cts[row] * factor)
  }
  return copy
}
