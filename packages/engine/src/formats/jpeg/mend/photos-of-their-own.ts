import type { PictureReport } from '../../../model/photo.ts'
import { APP1 } from '../../../syntax/jpeg-markers/markers.ts'
import { exifOf } from '../read/exif.ts'
import { type PictureIndex, readPictureIndex } from '../read/picture-index.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import { samsungTrailers } from '../read/samsung-trailer.ts'

type Place = NonNullable<PictureReport['place']>

/** A picture behind the first: where it began, and where it stands, with its length, among the mended bytes. */
export interface Behind {
  readonly start: number
  readonly at: number
  readonly length: number
  /** As it was read; undefined of one that lost its head. */
  readonly picture?: ReadPicture
  readonly report: PictureReport
}

/** Photos whose places are told, and bytes of the smallest: cameras write none that is less. */
const MOST_PHOTOS = 50
const LEAST_BYTES = 4_096
/** How XMP names each picture of a file, the first included: Google, Ultra HDR Image Format 1.1, "GContainer metadata". */
const NAMED_PICTURE = Array.from('Item:Mime="image/jpeg"', (character) => character.charCodeAt(0))

/**
 * Where those of the pictures behind the first stand that are photos of their own, each with the pictures that belong to it;
 * undefined of all others. `sure`: the first one's header is as it was written.
 */
export function placesOfPhotos(
  bytes: Uint8Array,
  first: ReadPicture,
  sure: boolean,
  pictures: readonly Behind[],
): (Place | undefined)[] {
  const starts = new Set(pictures.map(({ start }) => start))
  const trailers = samsungTrailers(bytes, first.end)
  const places: (Place | undefined)[] = pictures.map(() => undefined)
  let photo = new Photo(bytes, first, sure, starts)
  let last: number | undefined
  let count = 0
  for (const [i, picture] of pictures.entries()) {
    const { start, at, length } = picture
    const isStored = trailers.some((trailer) => start >= trailer.start && start < trailer.end)
    if (photo.holds(bytes, picture) || isStored) {
      const own = last === undefined ? undefined : places[last]
      if (last !== undefined && own) places[last] = { ...own, length: at + length - own.offset }
      continue
    }
    photo = new Photo(bytes, picture.picture, true, starts, picture.report.width)
    last = i
    if (count++ < MOST_PHOTOS) places[i] = { offset: at, length }
  }
  return places
}

/**
 * A photo, and which of the pictures behind it belong to it: those that its index, container or trailer names, those that say
 * themselves to be one of several, and those that are as a preview or a map of it would be. What follows a photo whose header is
 * not as it was written is a photo of its own only with Exif data of its own.
 */
class Photo {
  readonly #width: number
  readonly #components: number
  readonly #sure: boolean
  /** Where its index says that pictures of it begin; undefined where they do not, or it has none. */
  readonly #starts: ReadonlySet<number> | undefined
  /** Pictures in a row behind it that are its own. */
  #left: number

  constructor(
    bytes: Uint8Array,
    picture: ReadPicture | undefined,
    sure: boolean,
    starts: ReadonlySet<number>,
    width = picture?.frame.width ?? 0,
  ) {
    const index = picture && indexOf(bytes, picture)
    const named = index?.entries.filter(({ offset }) => offset > 0) ?? []
    const told = named.map(({ offset }) => (picture?.start ?? 0) + (index?.at ?? 0) + offset)
    this.#width = width
    this.#components = picture?.frame.components.length ?? 1
    this.#sure = sure && picture !== undefined && index?.entries.length !== 0
    // bytes lost in the photo move all behind it, so that only their number tells
    this.#starts = told.every((start) => starts.has(start)) ? new Set(told) : undefined
    this.#left = Math.max(this.#starts ? 0 : named.length, picture ? picturesInXmp(picture) - 1 : 0)
  }

  /** Whether the next picture behind it belongs to it. */
  holds(bytes: Uint8Array, { start, length, picture, report: { width, lost, total } }: Behind): boolean {
    const isCounted = this.#left > 0
    if (isCounted) this.#left--
    if (isCounted || length < LEAST_BYTES || this.#starts?.has(start)) return true
    const hasExif = picture !== undefined && exifOf(picture) !== undefined
    if (!hasExif && (!this.#sure || width * 2 <= this.#width)) return true
    // data without a header may be no photo's
    if (!picture) return lost * 2 > total
    return picture.frame.components.length < this.#components || isOneOfSeveral(bytes, picture)
  }
}

function indexOf(bytes: Uint8Array, { start, scans: [scan] }: ReadPicture): PictureIndex | undefined {
  return readPictureIndex([bytes.subarray(start, scan.start)])
}

/**
 * Whether a picture has what is told of each view of several, and not the index that the first one has: CIPA DC-007-2009 §5.2.
 */
function isOneOfSeveral(bytes: Uint8Array, picture: ReadPicture): boolean {
  return indexOf(bytes, picture)?.entries.length === 0
}

function picturesInXmp({ segments }: ReadPicture): number {
  let count = 0
  for (const { marker, body } of segments) {
    if (marker !== APP1) continue
    const [initial] = NAMED_PICTURE
    for (let at = body.indexOf(initial); at >= 0; at = body.indexOf(initial, at + 1)) {
      if (NAMED_PICTURE.every((byte, i) => body[at + i] === byte)) count++
    }
  }
  return count
}
