import { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { parseAvcC } from '../../../codecs/h264/avcc.ts'
import { likeEncoder } from '../../../codecs/h264/same-encoder.ts'
import { parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import { searchBytes } from '../../../codecs/search-bytes.ts'
import { bodyOf, readChildren } from '../../../syntax/iso-boxes/box.ts'
import { bytesOf, type CameraProfile, draftOf } from '../profiles/profile.ts'
import type { MovieTrack } from '../read/movie.ts'
import { type Candidate, clockOf, type Rate } from './candidates.ts'
import { type Draft, type DraftTrack, draftMovie } from './draft.ts'
import { codedPictures } from './pictures.ts'
import { pictureEntry } from './sample-entries.ts'

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
  candidate: Candidate,
  library: readonly CameraProfile[],
): { readonly candidate: Candidate; readonly profile: CameraProfile } | undefined {
  const found = describe(candidate.track)
  if (!found || candidate.codec !== 'h264') return undefined
  const { width, height } = found.description
  const nearest = [...library].sort((a, b) => sizeMiss(a, width, height) - sizeMiss(b, width, height))
  for (const profile of nearest) {
    const known = pictureTrack(profile)
    const config = known && likeEncoder(found.description.config, known.description.config)
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
  const picture = profile.tracks.find(({ handler }) => handler === 'vide')
  return picture
    ? Math.abs(picture.width - width) + Math.abs(picture.height - height)
    : Number.POSITIVE_INFINITY
}

/** The first picture track of a profile as the engine describes it. */
export function pictureTrack(profile: CameraProfile): MovieTrack | undefined {
  return draftMovie(draftOf(profile))?.movie.tracks.find(({ description }) => description.kind === 'video')
}

function describe(track: DraftTrack): MovieTrack | undefined {
  return draftMovie({ tracks: [track] })?.movie.tracks[0]
}

/** The profile's movie with the pictures found in the payload in place of its own. */
export function adoptedDraft(profile: CameraProfile, pictures: Candidate | undefined): Draft {
  const draft = draftOf(profile)
  if (!pictures) return draft
  const at = draft.tracks.findIndex(({ handler }) => handler === 'vide')
  if (at < 0) return draft
  const tracks = [...draft.tracks]
  tracks[at] = adoptPictures(tracks[at], pictures)
  return { ...draft, tracks }
}

/** Boxes that say how pictures are coded, which the payload itself says better. */
const CODING: ReadonlySet<string> = new Set(['avcC', 'hvcC', 'btrt'])

function adoptPictures(own: DraftTrack, found: Candidate): DraftTrack {
  const before = describe(own)
  const after = describe(found.track)
  const [entry] = after?.entries ?? []
  if (!before || !after || !entry) return own
  const same = before.description.codec === after.description.codec
  // cameras show less than they code without saying so in the bitstream: kept where the coded size is the same
  const coded = codedSize(after)
  const sameCoded = same && coded !== '' && codedSize(before) === coded
  const width = sameCoded ? (own.width ?? 0) : (found.track.width ?? 0)
  const height = sameCoded ? (own.height ?? 0) : (found.track.height ?? 0)
  const told = childBoxes(entry.bytes)
  const isTold = (type: string): boolean => CODING.has(type) || told.some(([other]) => other === type)
  const kept = same ? childBoxes(before.entries[0]?.bytes).filter(([type]) => !isTold(type)) : []
  const format = same ? (before.entries[0]?.format ?? entry.format) : entry.format
  const boxes = [...kept, ...told]
  return {
    ...own,
    ...(found.rate ? clockIn(own, found.rate) : {}),
    entry: pictureEntry({ format, width, height, boxes }),
    width,
    height,
    ...(own.edits || !found.track.edits ? {} : { edits: found.track.edits }),
  }
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

/** Samples coded a picture, as the configuration's parameter sets say; empty when it has none: then pictures themselves say it. */
function codedSize(track: MovieTrack): string {
  const { codec, config } = track.description
  if (codec === 'h264') {
    const sps = parseAvcC(config)?.sps[0]
    return sps ? `${sps.widthInMbs}x${sps.heightInMbs}` : ''
  }
  const sps = codec === 'hevc' ? parseHvcC(config)?.sps[0] : undefined
  return sps ? `${sps.codedWidth}x${sps.codedHeight}` : ''
}

/** Header and fixed fields of a visual sample entry. */
const VISUAL_FIXED = 86

/** Boxes behind the fixed fields of a visual sample entry: type and body. */
function childBoxes(entry: Uint8Array | undefined): (readonly [string, Uint8Array])[] {
  if (!entry) return []
  const reader = new ByteReader(new MemorySource(entry))
  return readChildren(reader, VISUAL_FIXED, entry.length).boxes.map((box) => [
    box.type,
    entry.subarray(bodyOf(box), box.end),
  ])
}
