import { APP1 } from '../../../syntax/jpeg-markers/markers.ts'
import type { Segment } from '../../../syntax/jpeg-markers/segments.ts'

/** What Exif data tell that a repair can use. */
export interface ExifFacts {
  /** How a viewer turns the picture, 1 to 8. */
  readonly orientation: number | undefined
  /** Pixels of the picture, as its camera wrote them. */
  readonly width: number | undefined
  readonly height: number | undefined
}

/** "Exif" and two zeros, Exif 2.32 §4.7.2. */
export const EXIF_HEADER = Uint8Array.of(0x45, 0x78, 0x69, 0x66, 0, 0)
const LITTLE = 0x4949
const BIG = 0x4d4d
const ENTRY = 12
const MAX_ENTRIES = 512
/** Tags, Exif 2.32 §4.6. */
const WIDTH = 0x0100
const HEIGHT = 0x0101
export const ORIENTATION = 0x0112
const EXIF_POINTER = 0x8769
const PIXEL_X = 0xa002
const PIXEL_Y = 0xa003
const SHORT = 3
const LONG = 4

/** Whether an APP1 body is Exif data. */
export function isExif(body: Uint8Array): boolean {
  return EXIF_HEADER.every((byte, i) => body[i] === byte)
}

/** Facts in the body of an Exif APP1 segment, or what is left of it: nothing that is out of bounds is believed. */
export function readExif(body: Uint8Array): ExifFacts {
  const tiff = body.subarray(EXIF_HEADER.length)
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
  const order = tiff.length >= 8 ? view.getUint16(0) : 0
  if (order !== LITTLE && order !== BIG)
    return { orientation: undefined, width: undefined, height: undefined }
  const little = order === LITTLE
  const main = readDirectory(view, view.getUint32(4, little), little)
  const pointer = main.get(EXIF_POINTER)
  const inner = pointer === undefined ? new Map<number, number>() : readDirectory(view, pointer, little)
  const orientation = main.get(ORIENTATION)
  return {
    orientation: orientation !== undefined && orientation >= 1 && orientation <= 8 ? orientation : undefined,
    width: inner.get(PIXEL_X) ?? main.get(WIDTH),
    height: inner.get(PIXEL_Y) ?? main.get(HEIGHT),
  }
}

/** Numbers of a directory by tag: those of one SHORT or LONG. TIFF 6.0 §2. */
function readDirectory(view: DataView, offset: number, little: boolean): Map<number, number> {
  const values = new Map<number, number>()
  if (offset + 2 > view.byteLength) return values
  const count = Math.min(MAX_ENTRIES, view.getUint16(offset, little))
  for (let i = 0; i < count; i++) {
    const at = offset + 2 + i * ENTRY
    if (at + ENTRY > view.byteLength) break
    const type = view.getUint16(at + 2, little)
    if (view.getUint32(at + 4, little) !== 1) continue
    const tag = view.getUint16(at, little)
    if (type === SHORT) values.set(tag, view.getUint16(at + 8, little))
    else if (type === LONG) values.set(tag, view.getUint32(at + 8, little))
  }
  return values
}

/** What the Exif data of a picture with these segments tell. */
export function exifOf(picture: { readonly segments: readonly Segment[] }): ExifFacts | undefined {
  const segment = picture.segments.find(({ marker, body }) => marker === APP1 && isExif(body))
  return segment && readExif(segment.body)
}
