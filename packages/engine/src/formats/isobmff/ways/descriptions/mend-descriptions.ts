import type { ByteReader } from '../../../../bytes/reader.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import { type Recogniser, Unit } from '../../../../codecs/recogniser.ts'
import { isShown } from '../../../../recording/judge/found-tracks.ts'
import type { Assessment, HeldIndex } from '../../assess.ts'
import { isFormat, isHandler } from '../../mend/registered.ts'
import type { Movie, MovieTrack } from '../../read/movie.ts'
import type { OwnDescription, Teacher } from '../carve-file.ts'
import { isWholeRecord, withOwnSets } from './in-band-sets.ts'
import { withObjectTypeOf } from './object-type.ts'
import { counterpartOf, withFactsOf, withHeaderOf } from './track-facts.ts'

/** Bits in which a configuration may differ from the sample's and still be the same one with flipped bits. */
const FLIPPED_BITS = 8
/** Samples by which two configurations are compared. */
const TRIED = 32

/** What the damaged file itself says of its tracks, as far as the bytes confirm it. */
export function ownDescription(index: HeldIndex): OwnDescription {
  const tracks = index.tracks.filter((track, i) => {
    const { fits, damaged } = index.alignment.tracks[i]
    return fits + damaged > 0 || (track.whole && index.checkers[i].bits === 0)
  })
  return { movie: index.movie, tracks }
}

/** True when the index itself was hit, not only the media it points to: then its sample entries may be, too. */
export function isIndexHit(assessment: Assessment, index: HeldIndex): boolean {
  const tables = assessment.findings.some((code) => /^isobmff\.(table-|bad-value|box-)/.test(code))
  return tables || !index.movie.whole || index.alignment.flipped > 0
}

/**
 * False for a track whose samples its own description does not know, though it is of a codec whose samples can be known, whose
 * description no player reads, or which is of no format that anybody writes and shown, or of no kind that anybody writes.
 */
export function describesSamples(reader: ByteReader, track: MovieTrack): boolean {
  const { samples, description, entries, handlerType } = track
  if (samples.length === 0) return true
  if (!codecNamed(description.codec)) {
    const isNamed = entries.every(({ format }) => isFormat(format))
    return isNamed || (!isShown(description.kind) && isHandler(handlerType))
  }
  if (!isWholeRecord(description)) return false
  const recogniser = recogniserOf(track)
  const tried = Math.ceil(samples.length / stepOf(samples.length))
  return recogniser !== undefined && recognised(reader, track, recogniser) * 2 >= tried
}

/** A movie mended with a sample's help. */
export interface MendedMovie {
  readonly movie: Movie
  /** Sample entries were taken from the sample. */
  readonly entries: boolean
  /** Other facts of headers were. */
  readonly facts: boolean
  /** Parameter sets were taken from key pictures. */
  readonly sets: boolean
}

/**
 * The movie with sample entries of the sample where its own were hit: the codec's configuration differs from the
 * sample's in a few bits, or is unusable; and with what else of its headers is lost. Parameter sets that key pictures bring go
 * before the sample's. Undefined when all stays as it is.
 */
export function mendDescriptions(
  reader: ByteReader,
  index: HeldIndex,
  teacher: Teacher,
): MendedMovie | undefined {
  let entries = false
  let sets = false
  let facts = index.movie.headerLost
  const tracks = index.movie.tracks.map((track) => {
    const other = counterpartOf(track, index.movie.tracks, teacher.tracks)
    const own = withOwnSets(reader, track)
    if (own) sets = true
    if (!other) return own ?? track
    const typed = withObjectTypeOf(own ?? track, other)
    if (typed) entries = true
    let mended = typed ?? own ?? track
    if (wasHit(reader, mended, other)) {
      entries = true
      const { id, timescale } = track.description
      mended = {
        ...mended,
        description: { ...other.description, id, timescale },
        sampleDescription: other.sampleDescription,
        entries: other.entries,
      }
    }
    if (mended.lost.size === 0 || mended.description.codec !== other.description.codec) return mended
    facts = true
    return withFactsOf(mended, other)
  })
  return entries || facts || sets
    ? { movie: { ...withHeaderOf(index.movie, teacher.movie), tracks }, entries, facts, sets }
    : undefined
}

function wasHit(reader: ByteReader, track: MovieTrack, other: MovieTrack): boolean {
  if (track.sampleDescription.length === 0) return true
  const own = recogniserOf(track)
  const borrowed = recogniserOf(other)
  const entryBits = differingBits(track.sampleDescription, other.sampleDescription)
  const zeroed =
    breaksOff(track.sampleDescription, other.sampleDescription) ||
    (track.description.codec === other.description.codec &&
      breaksOff(track.description.config, other.description.config))
  if (!borrowed) return zeroed || entryBits <= FLIPPED_BITS
  if (!own) return true
  const bits = differingBits(track.description.config, other.description.config)
  if (bits === 0 && (entryBits === 0 || entryBits > FLIPPED_BITS) && !zeroed) return false
  // where its descriptors were hit, no configuration may be found in an entry that is nearly the other's
  if (bits > FLIPPED_BITS && entryBits > FLIPPED_BITS && !zeroed) return false
  return recognised(reader, track, borrowed) >= recognised(reader, track, own)
}

function recogniserOf(track: MovieTrack): Recogniser | undefined {
  return codecNamed(track.description.codec)?.recogniser(track.description)
}

function stepOf(samples: number): number {
  return Math.max(1, Math.floor(samples / TRIED))
}

/** Of samples spread over the track, how many a recogniser takes for units. */
function recognised(reader: ByteReader, track: MovieTrack, recogniser: Recogniser): number {
  const { samples } = track
  const step = stepOf(samples.length)
  const unit = new Unit()
  let count = 0
  for (let row = 0; row < samples.length; row += step) {
    const offset = samples.offset[row]
    if (!recogniser.recognise(reader, offset, Math.min(reader.size, offset + samples.size[row]), unit))
      continue
    // pictures may be known behind a head alone, which tells their settings
    if (count === 0 && track.description.kind === 'video') recogniser.accept(reader, offset, unit)
    count++
  }
  return count
}

/** True for bytes that are another's up to somewhere, with zeros or nothing from there on. */
function breaksOff(bytes: Uint8Array, other: Uint8Array): boolean {
  const first = bytes.findIndex((byte, i) => byte !== other[i])
  if (first < 0) return bytes.length < other.length
  return bytes.subarray(first).every((byte) => byte === 0)
}

/** Bits in which two byte strings differ; all of them when their lengths do. */
function differingBits(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY
  let bits = 0
  for (let i = 0; i < a.length; i++) {
    for (let rest = a[i] ^ b[i]; rest > 0; rest &= rest - 1) bits++
  }
  return bits
}
