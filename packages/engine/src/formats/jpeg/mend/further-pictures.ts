import { Allowance } from '../../../model/allowance.ts'
import { DOUBT, type Doubt, distinctDoubts } from '../../../model/doubt.ts'
import type { Finding } from '../../../model/finding.ts'
import type { PictureReport } from '../../../model/photo.ts'
import { EOI } from '../../../syntax/jpeg-markers/markers.ts'
import type { Analysis } from '../analysis.ts'
import { finding } from '../findings.ts'
import { exifOf } from '../read/exif.ts'
import { picturesWithin } from '../read/previews.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import { pictureDoubts, reportPicture } from '../report-picture.ts'
import type { Grown } from '../write/further-pictures.ts'
import { writePicture } from '../write/write-picture.ts'
import { mendPicture } from './mend-picture.ts'
import { type Behind, placesOfPhotos } from './photos-of-their-own.ts'
import { withProvenEnd } from './proven-end.ts'
import { longestStretch } from './salvage.ts'

/** What follows a photo, mended: the same bytes but for pictures that were hit. */
export interface FurtherPictures {
  readonly whole: boolean
  /** Its bytes in order. */
  readonly parts: readonly Uint8Array[]
  readonly grown: readonly Grown[]
  readonly findings: readonly Finding[]
  /** Of pictures that were hit, and of photos of their own, whose places are told from the first of these bytes on. */
  readonly pictures: readonly PictureReport[]
  readonly doubts: readonly Doubt[]
  /** Bytes of it that are pictures. */
  readonly length: number
}

/**
 * Pixels of all that are looked at, and more of them for each byte: a photo has less, so that only what is made to take time has
 * more.
 */
const MOST_PIXELS = 1 << 28
const PIXELS_A_BYTE = 64
/** Gaps between pictures that are searched for the data of another. */
const MOST_HEADLESS = 256
const HEADLESS = 'a further picture behind the first lost its header'
/** Pictures whose sizes a finding names. */
const MOST_NAMED = 8

/** A picture that lost its head, put together anew; undefined where it was not. */
export type Headless = (
  bytes: Uint8Array,
) => Pick<Analysis, 'parts' | 'firstLength' | 'pictures' | 'doubts'> | undefined

/**
 * Mends the pictures that begin between `from` and `to`, behind the first: the other views, maps and large previews that cameras
 * write, or photos that ran into one file. Those that are coded in a way that is not known stay as they are. What lies between
 * them and is the data of one that lost its head is handed to `headless`. `sure`: the first one's header is as it was written, so
 * that it tells which of them belong to it.
 */
export function mendFurther(
  bytes: Uint8Array,
  first: ReadPicture,
  sure: boolean,
  from: number,
  to: number,
  headless: Headless,
): FurtherPictures {
  const within = bytes.subarray(0, to)
  const parts: Uint8Array[] = []
  const grown: Grown[] = []
  const findings: Finding[] = []
  const behind: Told[] = []
  const doubts: Doubt[] = []
  const pixels = new Allowance(MOST_PIXELS + PIXELS_A_BYTE * (to - from))
  const all = picturesWithin(within, from, to, Infinity).map((picture) => withProvenEnd(within, picture))
  if (all.length > 0) findings.push(finding('furtherPictures', namesOf(all), { offset: all[0].start }))
  let done = from
  let shift = 0
  /** Puts what was made of the bytes between two places in their stead; returns where it stands among the mended bytes. */
  const put = (start: number, end: number, own: readonly Uint8Array[]): { at: number; length: number } => {
    const length = own.reduce((sum, part) => sum + part.length, 0)
    const place = { at: start - from + shift, length }
    parts.push(bytes.subarray(done, start), ...own)
    done = end
    shift += start + length - end
    grown.push({ at: start - first.start, by: start + length - end })
    return place
  }
  /** Looks for the data of a picture without a head between two places. */
  const lookBetween = (left: number, right: number): void => {
    const gap = bytes.subarray(left, right)
    const stretch = headlessLooks.take() ? longestStretch(gap) : undefined
    const found = stretch && headless(gap)
    if (!stretch || !found || found.parts.length === 0) return
    const end = left + stretch.end
    const length = stretch.end - stretch.start
    findings.push(finding('furtherDamaged', HEADLESS, { offset: left + stretch.start, length }))
    doubts.push(...found.doubts)
    const { at } = put(left, bytes[end + 1] === EOI ? end + 2 : end, found.parts)
    const [report] = found.pictures
    if (report) behind.push({ start: left, at, length: found.firstLength ?? 0, report, whole: false })
  }
  const headlessLooks = new Allowance(MOST_HEADLESS)
  let seen = from
  for (const picture of all) {
    lookBetween(seen, picture.start)
    seen = picture.end
    if (!pixels.take(picture.frame.width * picture.frame.height)) {
      doubts.push(DOUBT.searchEnded)
      break
    }
    const mended = mendPicture(within, picture, () => [])
    if (typeof mended === 'string') continue
    const { start, end, frame } = picture
    const { whole } = mended
    const own = { at: start - from + shift, length: end - start }
    const place = whole ? own : put(start, end, writePicture(within, picture, mended))
    const report = reportPicture(frame, mended, exifOf(picture)?.orientation ?? 1, [])
    behind.push({ start, ...place, picture, report, whole })
    if (whole) continue
    findings.push(finding('furtherDamaged', wordsOf(picture), { offset: start, length: end - start }))
    doubts.push(...pictureDoubts(mended))
  }
  lookBetween(seen, to)
  parts.push(bytes.subarray(done))
  return {
    whole: grown.length === 0 && doubts.length === 0,
    parts,
    grown,
    findings,
    pictures: toldOf(behind, placesOfPhotos(within, first, sure, behind)),
    doubts: distinctDoubts(doubts),
    length: all.reduce((sum, { start, end }) => sum + end - start, 0),
  }
}

/** A picture behind the first with what is to be said of it. */
interface Told extends Behind {
  readonly report: PictureReport
  readonly whole: boolean
}

/** Reports of the pictures that were hit or are photos of their own. */
function toldOf(
  behind: readonly Told[],
  places: readonly (PictureReport['place'] | undefined)[],
): PictureReport[] {
  return behind.flatMap(({ report, whole }, i) => {
    const place = places[i]
    if (!place && whole) return []
    return [{ ...report, role: 'further' as const, ...(place ? { place } : {}) }]
  })
}

function namesOf(pictures: readonly ReadPicture[]): string {
  const sizes = pictures.slice(0, MOST_NAMED).map(({ frame }) => `${frame.width}x${frame.height}`)
  const more = pictures.length > MOST_NAMED ? ', …' : ''
  const what =
    pictures.length === 1 ? 'a further picture follows' : `${pictures.length} further pictures follow`
  return `${what} behind the first: ${sizes.join(', ')}${more}`
}

function wordsOf({ frame, ended }: ReadPicture): string {
  const state = ended ? 'is damaged' : 'is damaged or breaks off'
  return `a further picture of ${frame.width}x${frame.height} behind the first ${state}`
}
