import { APP2 } from '../../../syntax/jpeg-markers/markers.ts'

/** "MPF" and a zero, CIPA DC-007-2009 §5.2. */
const MULTI_PICTURE = [0x4d, 0x50, 0x46, 0]
const LITTLE = 0x4949
const ENTRIES_TAG = 0xb002
const DIRECTORY_ENTRY = 12
const PICTURE_ENTRY = 16
const MOST_PICTURES = 64
/** The bits of a picture's attribute that tell its type, and what they are for large thumbnails: CIPA DC-007-2009 §5.2.3.3. */
const TYPE = 0xff_ff_ff
const LARGE_THUMBNAILS: readonly number[] = [0x01_00_01, 0x01_00_02]

/** The index of all pictures of a file, which the first one carries. */
export interface PictureIndex {
  /**
   * Which part of the file it stands in, the offset of its TIFF header there and within all parts; what it tells is relative to
   * that.
   */
  readonly part: number
  readonly within: number
  readonly at: number
  readonly little: boolean
  readonly entries: readonly PictureEntry[]
}

export interface PictureEntry {
  /** Offset of its length, behind which its offset follows, from the TIFF header on. */
  readonly field: number
  readonly length: number
  /** Relative to the TIFF header; 0 of the first picture. */
  readonly offset: number
  /** A smaller picture of the first one, of the size of a screen. */
  readonly thumbnail: boolean
}

/** The index of further pictures in parts of a file, in order; undefined where there is none. */
export function readPictureIndex(parts: readonly Uint8Array[]): PictureIndex | undefined {
  let base = 0
  for (const [part, bytes] of parts.entries()) {
    for (let at = bytes.indexOf(0xff); at >= 0 && at + 8 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
      if (bytes[at + 1] !== APP2 || MULTI_PICTURE.some((byte, i) => bytes[at + 4 + i] !== byte)) continue
      return { part, within: at + 8, at: base + at + 8, ...entriesOf(bytes.subarray(at + 8)) }
    }
    base += bytes.length
  }
  return undefined
}

function entriesOf(tiff: Uint8Array): Pick<PictureIndex, 'little' | 'entries'> {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
  if (tiff.length < 8) return { little: false, entries: [] }
  const little = view.getUint16(0) === LITTLE
  const place = entriesPlace(view, little)
  const entries: PictureEntry[] = []
  for (let picture = 0; place && picture < place.count; picture++) {
    const at = place.first + picture * PICTURE_ENTRY
    if (at + PICTURE_ENTRY > tiff.length) break
    entries.push({
      field: at + 4,
      length: view.getUint32(at + 4, little),
      offset: view.getUint32(at + 8, little),
      thumbnail: LARGE_THUMBNAILS.includes(view.getUint32(at, little) & TYPE),
    })
  }
  return { little, entries }
}

function entriesPlace(
  view: DataView,
  little: boolean,
): { readonly first: number; readonly count: number } | undefined {
  const directory = view.getUint32(4, little)
  if (directory + 2 > view.byteLength) return undefined
  const fields = view.getUint16(directory, little)
  for (let i = 0; i < fields; i++) {
    const entry = directory + 2 + i * DIRECTORY_ENTRY
    if (entry + DIRECTORY_ENTRY > view.byteLength) return undefined
    if (view.getUint16(entry, little) !== ENTRIES_TAG) continue
    const count = Math.floor(view.getUint32(entry + 4, little) / PICTURE_ENTRY)
    return { first: view.getUint32(entry + 8, little), count: Math.min(MOST_PICTURES, count) }
  }
  return undefined
}
