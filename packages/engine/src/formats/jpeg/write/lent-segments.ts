import { APP1, APP2, SOI } from '../../../syntax/jpeg-markers/markers.ts'
import { type Segment, writeSegment } from '../../../syntax/jpeg-markers/segments.ts'
import { EXIF_HEADER, exifOf, isExif, ORIENTATION } from '../read/exif.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import { turnByNote, turnThatRemains } from '../read/turn-that-remains.ts'
import type { RebuiltHeader } from './rebuild-header.ts'

const UPRIGHT = 1
/** "ICC_PROFILE" and a zero, ICC.1:2022 §B.4. */
const ICC_HEADER = [0x49, 0x43, 0x43, 0x5f, 0x50, 0x52, 0x4f, 0x46, 0x49, 0x4c, 0x45, 0]

/** What a header that is gone is given, so that viewers show the photo as it was shown, or as they show a sample. */
export interface LentSegments {
  readonly segments: readonly Uint8Array[]
  /** How the photo is turned then; undefined where nothing tells of it. */
  readonly orientation: number | undefined
  /** What is the sample's of it. */
  readonly names: readonly string[]
}

/**
 * The turn that `head`, the bytes in front of the data, still tells, and a sample's colour profile, each where nothing is left of
 * the photo's own. A sample's turn is not lent: of two photos of one camera of which one is turned the other is mostly upright.
 */
export function lentSegments(
  header: RebuiltHeader,
  picture: ReadPicture,
  head: Uint8Array,
  sample: ReadPicture | undefined,
): LentSegments {
  if (header.whole) return { segments: [], orientation: undefined, names: [] }
  const { width, height } = picture.frame
  const believed = !sample || agreesWithNote(sample)
  const orientation = exifOf(header) ? undefined : turnThatRemains(head, width, height, believed)
  const profile = !sample || header.segments.some(isProfile) ? [] : sample.segments.filter(isProfile)
  return {
    segments: [
      ...(orientation === undefined || orientation === UPRIGHT ? [] : [turnSegment(orientation)]),
      ...profile.map(({ marker, body }) => writeSegment(marker, body)),
    ],
    orientation,
    names: profile.length === 0 ? [] : ['colour profile'],
  }
}

/**
 * Whether a sample is turned as its maker note says, or none tells: else the photo's is not believed either, whose pixels may
 * have been turned as well.
 */
function agreesWithNote({ segments, frame }: ReadPicture): boolean {
  const told = exifOf({ segments })?.orientation
  const exif = segments.find(({ marker, body }) => marker === APP1 && isExif(body))
  if (told === undefined || !exif) return true
  const head = Uint8Array.of(0xff, SOI, ...writeSegment(APP1, exif.body))
  return (turnByNote(head, frame.width, frame.height) ?? told) === told
}

/** An Exif segment that says nothing but how a picture is turned: Exif 2.32 §4.5.4, TIFF 6.0 §2. */
export function turnSegment(orientation: number): Uint8Array {
  const entry = [ORIENTATION & 0xff, ORIENTATION >> 8, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
  return writeSegment(APP1, [...EXIF_HEADER, 0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, ...entry, 0, 0, 0, 0])
}

/** A piece of a colour profile: one that is longer than a segment stands in several. */
function isProfile({ marker, body }: Segment): boolean {
  return marker === APP2 && ICC_HEADER.every((byte, i) => body[i] === byte)
}
