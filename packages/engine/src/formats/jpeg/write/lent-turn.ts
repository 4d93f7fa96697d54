import { APP1 } from '../../../syntax/jpeg-markers/markers.ts'
import { writeSegment } from '../../../syntax/jpeg-markers/segments.ts'
import { EXIF_HEADER, exifOf, ORIENTATION } from '../read/exif.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import type { RebuiltHeader } from './rebuild-header.ts'

const UPRIGHT = 1

/**
 * How the sample is turned, where nothing tells how the photo is, and that is not upright; undefined otherwise. Cameras are mostly held
 * as they were for the photo beside; one that lies in its file on another side tells nothing.
 */
export function lentTurn(
  header: RebuiltHeader,
  { frame }: ReadPicture,
  sample: ReadPicture | undefined,
): number | undefined {
  if (!sample || header.whole || exifOf(header)) return undefined
  if (frame.width > frame.height !== sample.frame.width > sample.frame.height) return undefined
  const turn = exifOf(sample)?.orientation
  return turn === UPRIGHT ? undefined : turn
}

/** An Exif segment that says nothing but how a picture is turned: Exif 2.32 §4.5.4, TIFF 6.0 §2. */
export function turnSegment(orientation: number): Uint8Array {
  const entry = [ORIENTATION & 0xff, ORIENTATION >> 8, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
  return writeSegment(APP1, [...EXIF_HEADER, 0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, ...entry, 0, 0, 0, 0])
}
