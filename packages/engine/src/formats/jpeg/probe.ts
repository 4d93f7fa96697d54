import { isSegment, SOI } from '../../syntax/jpeg-markers/markers.ts'
import type { InputFile, Probe } from '../format.ts'
import { longestStretch } from './mend/salvage.ts'
import { soundSegments } from './mend/sound-segments.ts'

/** Bytes looked at where a start of image is missing: headers with previews have up to 64 KB in front of their tables. */
const HEAD = 160 * 1024
/** Bytes looked at in the middle of the file. */
const MIDDLE = 32 * 1024
const CERTAIN = 95
const WITHOUT_START = 60
const SCAN_ALONE = 30
/** Entropy-coded data must fill this part of what is looked at. */
const FILLS = 0.9
/** Two sound tables or headers are no accident. */
const LEAST_SEGMENTS = 2

/** Judges by the start of image, else by tables and headers near it, else by how FF bytes are stuffed. */
export function probe({ reader }: InputFile): Probe {
  const head = Uint8Array.from(reader.bytes(0, HEAD))
  if (head[0] === 0xff && head[1] === SOI && head[2] === 0xff && isSegment(head[3])) {
    return { score: CERTAIN, reasons: ['start of image and a segment'] }
  }
  if (isOther(head)) return { score: 0, reasons: ['the signature of another format'] }
  const segments = soundSegments(head)
  if (segments.length >= LEAST_SEGMENTS) {
    return { score: WITHOUT_START, reasons: [`${segments.length} tables and headers`] }
  }
  const middle = Uint8Array.from(reader.bytes(Math.floor(reader.size / 2), MIDDLE))
  const stretch = longestStretch(middle)
  if (stretch && stretch.end - stretch.start > FILLS * middle.length) {
    return { score: SCAN_ALONE, reasons: ['entropy-coded data of a scan'] }
  }
  return { score: 0, reasons: ['no start of image, no tables, no scan'] }
}

/** TIFF and its kin, ISO media, RIFF, PNG and EBML hold JPEG pictures, too. */
const SIGNATURES: readonly (readonly [number, readonly number[]])[] = [
  [0, [0x49, 0x49, 0x2a, 0]],
  [0, [0x4d, 0x4d, 0, 0x2a]],
  [4, [0x66, 0x74, 0x79, 0x70]],
  [0, [0x52, 0x49, 0x46, 0x46]],
  [0, [0x89, 0x50, 0x4e, 0x47]],
  [0, [0x1a, 0x45, 0xdf, 0xa3]],
  [0, [0x46, 0x55, 0x4a, 0x49, 0x46, 0x49, 0x4c, 0x4d]],
]

function isOther(head: Uint8Array): boolean {
  return SIGNATURES.some(([at, bytes]) => bytes.every((byte, i) => head[at + i] === byte))
}
