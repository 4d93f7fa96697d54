import { APP1, APP11 } from '../../../syntax/jpeg-markers/markers.ts'
import { isExif } from './exif.ts'

/** Bytes of a segment with its marker. */
const LONGEST_SEGMENT = 65_537
/** JPEGInterchangeFormat, one LONG, in either order of bytes: Exif 2.32 §4.6.2, TIFF 6.0 §2. */
const POINTERS = [
  { entry: [0x01, 0x02, 4, 0, 1, 0, 0, 0], signature: [0x49, 0x49, 0x2a, 0], little: true },
  { entry: [0x02, 0x01, 0, 4, 0, 0, 0, 1], signature: [0x4d, 0x4d, 0, 0x2a], little: false },
] as const

/**
 * Whether a picture from `start` to `end` lies in the Exif data or in a box of another, whose thumbnail it is, be that a JPEG or
 * not.
 */
export function isThumbnail(bytes: Uint8Array, start: number, end: number): boolean {
  const from = Math.max(0, start - LONGEST_SEGMENT)
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < start; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== APP1 || !isExif(bytes.subarray(at + 4, start))) continue
    if (at + 2 + ((bytes[at + 2] << 8) | bytes[at + 3]) >= end) return true
  }
  return isPointedTo(bytes, from, start) || isPhotoshops(bytes, start) || standsAt(bytes, CONTENT, start - 4)
}

/** The box of a file that is embedded, as those that sign photos keep thumbnails: ISO/IEC 19566-5:2019 §B.5. */
const CONTENT = [0x62, 0x69, 0x64, 0x62]
/** Where boxes of embedded files lie, as far as they tell. */
export function embeddedFiles(bytes: Uint8Array): { readonly start: number; readonly end: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const files: { start: number; end: number }[] = []
  for (let at = bytes.indexOf(CONTENT[0]); at >= 0; at = bytes.indexOf(CONTENT[0], at + 1)) {
    if (at < 4 || !standsAt(bytes, CONTENT, at)) continue
    files.push({ start: at, end: at - 4 + view.getUint32(at - 4) })
    if (files.length === MOST_FILES) break
  }
  return files
}

/** Embedded files that are looked at: a photo that was signed twenty times has some forty. */
const MOST_FILES = 256

/** Behind the marker and length of a segment of boxes, "JP": ISO/IEC 19566-5:2019 §D.1. */
const BOXES = [0x4a, 0x50]

/** Whether what begins behind a marker are the boxes of a photo, or go on with them: one box may stand in several segments. */
export function isOfBoxes(bytes: Uint8Array, behindMarker: number): boolean {
  return bytes[behindMarker - 1] === APP11 && standsAt(bytes, BOXES, behindMarker + 2)
}

/** Image resources 1033 and 1036 of Photoshop's, with name and size, and what stands in front of the picture in them. */
const RESOURCES = [
  [0x38, 0x42, 0x49, 0x4d, 0x04, 0x09],
  [0x38, 0x42, 0x49, 0x4d, 0x04, 0x0c],
]
const IN_RESOURCE = 40

function isPhotoshops(bytes: Uint8Array, start: number): boolean {
  return RESOURCES.some((resource) => standsAt(bytes, resource, start - IN_RESOURCE))
}

/** Whether a directory between `from` and `start` names the picture at `start` as its thumbnail. */
function isPointedTo(bytes: Uint8Array, from: number, start: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return POINTERS.some(({ entry, signature, little }) => {
    for (
      let at = bytes.indexOf(entry[0], from);
      at >= 0 && at < start;
      at = bytes.indexOf(entry[0], at + 1)
    ) {
      if (!standsAt(bytes, entry, at) || at + 12 > start) continue
      const first = start - view.getUint32(at + entry.length, little)
      if (first >= from && first < at && standsAt(bytes, signature, first)) return true
    }
    return false
  })
}

function standsAt(bytes: Uint8Array, pattern: readonly number[], at: number): boolean {
  return pattern.every((byte, i) => bytes[at + i] === byte)
}
