import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { likeEncoder } from '../../codecs/h264/same-encoder.ts'
import { searchBytes } from '../../codecs/search-bytes.ts'
import type { TrackDescription } from '../../model/track.ts'
import { bytesOf, type CameraProfile } from '../cameras/camera-profile.ts'
import { type Draft, type DraftFamily, type DraftTrack, describeDraft } from '../draft.ts'
import { type Candidate, clockOf, type Rate } from './candidates.ts'
import { codedPictures } from './pictures.ts'

/** Bytes of payload in which a camera signs. */
const SIGNATURE_REACH = 1 << 16

/** Whether every mark of the profile stands near the beginning of the payload; false for profiles without. */
export function isMarked(reader: ByteReader, payload: readonly Region[], profile: CameraProfile): boolean {
  const [first] = payload
  if (!first || profile.marks.length === 0) return false
  const end = first.offset + Math.min(first.length, SIGNATURE_REACH)
  return profile.marks.every((mark) => searchBytes(reader, first.offset, end, bytesOf(mark)) < end)
}

/**
 * The candidate with what an encoder of the library says of itself beyond what slices show, where its headers read the same; the
 * profile of the same picture size goes before others.
 */
export function withEncoderHabits(
  family: DraftFamily,
  candidate: Candidate,
  library: readonly CameraProfile[],
): { readonly candidate: Candidate; readonly profile: CameraProfile } | undefined {
  const found = describeDraft(family, candidate.track)
  if (!found || candidate.codec !== 'h264') return undefined
  const { width, height } = found
  const nearest = [...library].sort((a, b) => sizeMiss(a, width, height) - sizeMiss(b, width, height))
  for (const profile of nearest) {
    const known = pictureTrack(family, profile)
    const config = known && likeEncoder(found.config, known.config)
    if (!config) continue
    const facts = [
      ...(candidate.facts ?? []).filter((fact) => !fact.estimated),
      { what: 'what slices do not show', by: `the encoder of ${profile.name}`, estimated: true },
    ]
    const size = { width: width ?? 0, height: height ?? 0 }
    return {
      candidate: { ...codedPictures('h264', { config, ...size, rate: candidate.rate }, 'profile'), facts },
      profile,
    }
  }
  return undefined
}

function sizeMiss(profile: CameraProfile, width = 0, height = 0): number {
  const picture = profile.tracks.find(({ kind }) => kind === 'video')
  return picture
    ? Math.abs(picture.width - width) + Math.abs(picture.height - height)
    : Number.POSITIVE_INFINITY
}

/** The first picture track of a profile as the engine describes it. */
export function pictureTrack(family: DraftFamily, profile: CameraProfile): TrackDescription | undefined {
  return family.describe(family.fromProfile(profile))?.find(({ kind }) => kind === 'video')
}

/** The profile's recording with the pictures found in the payload in place of its own. */
export function adoptedDraft(
  family: DraftFamily,
  profile: CameraProfile,
  pictures: Candidate | undefined,
): Draft {
  const draft = family.fromProfile(profile)
  if (!pictures) return draft
  const at = draft.tracks.findIndex(({ kind }) => kind === 'video')
  if (at < 0) return draft
  const tracks = [...draft.tracks]
  tracks[at] = adoptPictures(family, tracks[at], pictures)
  return { ...draft, tracks }
}

function adoptPictures(family: DraftFamily, own: DraftTrack, { track, rate }: Candidate): DraftTrack {
  const adopted = family.withPictures(own, track)
  return adopted === own || !rate ? adopted : { ...adopted, ...clockIn(own, rate) }
}

/** Rates this near are one: durations in whole ticks of coarse scales average so. */
const ONE_RATE = 0.002

/** A rate in the ticks that a track counts in already, where they divide evenly or nearly the same, else in fitting ones. */
export function clockIn(
  own: Pick<DraftTrack, 'timescale' | 'unit'>,
  rate: Rate,
): { timescale: number; unit: number } {
  const unit = (own.timescale * rate.den) / rate.num
  if (Math.abs(unit / own.unit - 1) < ONE_RATE) return { timescale: own.timescale, unit: own.unit }
  return Number.isInteger(unit) ? { timescale: own.timescale, unit } : clockOf(rate)
}
