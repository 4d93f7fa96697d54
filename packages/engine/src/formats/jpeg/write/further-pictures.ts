import { APP2 } from '../../../syntax/jpeg-markers/markers.ts'

/** "MPF" and a zero, CIPA DC-007-2009 §5.2. */
const MULTI_PICTURE = [0x4d, 0x50, 0x46, 0]
const LITTLE = 0x4949
const ENTRIES_TAG = 0xb002
const DIRECTORY_ENTRY = 12
const PICTURE_ENTRY = 16
const MOST_PICTURES = 64

/** Where an index of further pictures stands among parts of a file. */
interface Index {
  readonly part: number
  /** Offset of its TIFF header within the part and within all parts; what it tells is relative to that. */
  readonly within: number
  readonly at: number
}

/**
 * Corrects the index of further pictures that a repaired first one carries, now that it is longer or shorter: `before` are the bytes it had,
 * `parts` those it has, with everything that follows unchanged. Parts without such an index are handed back as they are.
 */
export function correctFurtherPictures(
  before: Uint8Array,
  parts: readonly Uint8Array[],
): readonly Uint8Array[] {
  const old = findIndex([before])
  const index = findIndex(parts)
  if (!old || !index) return parts
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const shift = length - before.length - (index.at - old.at)
  const copy = Uint8Array.from(parts[index.part])
  shiftEntries(copy.subarray(index.within), shift, length)
  return parts.with(index.part, copy)
}

function findIndex(parts: readonly Uint8Array[]): Index | undefined {
  let base = 0
  for (const [part, bytes] of parts.entries()) {
    for (let at = bytes.indexOf(0xff); at >= 0 && at + 8 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
      if (bytes[at + 1] !== APP2 || MULTI_PICTURE.some((byte, i) => bytes[at + 4 + i] !== byte)) continue
      return { part, within: at + 8, at: base + at + 8 }
    }
    base += bytes.length
  }
  return undefined
}

/** Adds `shift` to the offset of each further picture, and writes the first one's length. */
function shiftEntries(tiff: Uint8Array, shift: number, length: number): void {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
  if (tiff.length < 8) return
  const little = view.getUint16(0) === LITTLE
  const directory = view.getUint32(4, little)
  if (directory + 2 > tiff.length) return
  const count = view.getUint16(directory, little)
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + i * DIRECTORY_ENTRY
    if (entry + DIRECTORY_ENTRY > tiff.length) return
    if (view.getUint16(entry, little) !== ENTRIES_TAG) continue
    const pictures = Math.min(MOST_PICTURES, Math.floor(view.getUint32(entry + 4, little) / PICTURE_ENTRY))
    const first = view.getUint32(entry + 8, little)
    for (let picture = 0; picture < pictures; picture++) {
      const at = first + picture * PICTURE_ENTRY
      if (at + PICTURE_ENTRY > tiff.length) return
      const offset = view.getUint32(at + 8, little)
      if (picture === 0) view.setUint32(at + 4, length, little)
      else if (offset > 0) view.setUint32(at + 8, offset + shift, little)
    }
    return
  }
}
