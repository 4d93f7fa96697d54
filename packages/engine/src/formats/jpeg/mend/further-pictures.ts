import { type Doubt, distinctDoubts } from '../../../model/doubt.ts'
import type { Finding } from '../../../model/finding.ts'
import type { PictureReport } from '../../../model/photo.ts'
import { finding } from '../findings.ts'
import { exifOf } from '../read/exif.ts'
import { picturesWithin } from '../read/previews.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import { pictureDoubts, reportPicture } from '../report-picture.ts'
import type { Grown } from '../write/further-pictures.ts'
import { writePicture } from '../write/write-picture.ts'
import { mendPicture } from './mend-picture.ts'

/** What follows a photo, mended: the same bytes but for pictures that were hit. */
export interface FurtherPictures {
  readonly whole: boolean
  /** Its bytes in order. */
  readonly parts: readonly Uint8Array[]
  readonly grown: readonly Grown[]
  readonly findings: readonly Finding[]
  /** Of pictures that were hit. */
  readonly pictures: readonly PictureReport[]
  readonly doubts: readonly Doubt[]
}

/**
 * Mends the pictures that begin between `from` and `to`, behind one that began at `start`: the other views, maps and large
 * previews that cameras write, or photos that ran into one file. Those that are coded in a way that is not known stay as they
 * are.
 */
export function mendFurther(bytes: Uint8Array, start: number, from: number, to: number): FurtherPictures {
  const within = bytes.subarray(0, to)
  const parts: Uint8Array[] = []
  const grown: Grown[] = []
  const findings: Finding[] = []
  const pictures: PictureReport[] = []
  const doubts: Doubt[] = []
  let done = from
  for (const picture of picturesWithin(within, from, to)) {
    const mended = mendPicture(within, picture, () => [])
    if (typeof mended === 'string' || mended.whole) continue
    const own = writePicture(within, picture, mended)
    parts.push(bytes.subarray(done, picture.start), ...own)
    done = picture.end
    const length = picture.end - picture.start
    grown.push({ at: picture.start - start, by: own.reduce((sum, part) => sum + part.length, -length) })
    findings.push(finding('furtherDamaged', wordsOf(picture), { offset: picture.start, length }))
    const orientation = exifOf(picture)?.orientation ?? 1
    pictures.push({ ...reportPicture(picture.frame, mended, orientation, []), role: 'further' })
    doubts.push(...pictureDoubts(mended))
  }
  parts.push(bytes.subarray(done))
  return { whole: grown.length === 0, parts, grown, findings, pictures, doubts: distinctDoubts(doubts) }
}

function wordsOf({ frame, ended }: ReadPicture): string {
  const state = ended ? 'is damaged' : 'is damaged or breaks off'
  return `a further picture of ${frame.width}x${frame.height} behind the first ${state}`
}
