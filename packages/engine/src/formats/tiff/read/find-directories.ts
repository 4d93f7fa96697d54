import { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { type Ifd, ifdLayout, MOST_ENTRIES, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG, typeBytes } from '../../../syntax/tiff-ifd/tags.ts'
import { isPlausible } from './structure.ts'

/** Fields that tell of pixels: a directory that describes a picture has most of them. */
const KEY_TAGS: readonly number[] = [
  ...[TAG.imageWidth, TAG.imageLength, TAG.bitsPerSample, TAG.compression, TAG.photometric],
  ...[TAG.stripOffsets, TAG.samplesPerPixel, TAG.rowsPerStrip, TAG.stripByteCounts, TAG.planarConfiguration],
  ...[TAG.tileWidth, TAG.tileLength, TAG.tileOffsets, TAG.tileByteCounts],
  ...[TAG.newSubfileType, TAG.make, TAG.model, TAG.orientation, TAG.subIfds, TAG.exifIfd],
]
/** So many of them make a directory certain: four rising tags with types that fit are 2^-60 by chance. */
const ENOUGH_KEYS = 4

const PIECE = 1024 * 1024
const MOST_FOUND = 4_096

/**
 * Looks for directories by what they look like, wherever they lie: fields in rising order of known types that tell of a picture.
 * Reads the file once. Directories begin on even offsets (TIFF 6.0 §2); those of a file that lost an odd number of bytes on odd
 * ones.
 */
export async function findDirectories(
  numbers: TiffNumbers,
  big: boolean,
  monitor: Monitor,
): Promise<readonly Ifd[]> {
  const { reader } = numbers
  const { count: head, entry } = ifdLayout(big)
  const found: Ifd[] = []
  let covered = 0
  const looks = new Allowance(FIELDS + reader.size * FIELDS_A_BYTE)
  for (let from = 0; from < reader.size; from += PIECE) {
    const bytes = reader.bytes(from, PIECE + head + LOOKED_AT * entry)
    const piece = Uint8Array.from(bytes)
    const view = new DataView(piece.buffer)
    for (let i = 0; i + head + 4 <= piece.length && i < PIECE; i++) {
      const first = i + head
      // the number of fields, then the first one's tag and type: cheap to refuse
      const fields = big
        ? view.getUint32(numbers.little ? i : i + 4, numbers.little)
        : view.getUint16(i, numbers.little)
      if (fields < ENOUGH_KEYS || fields > MOST_ENTRIES) continue
      const type = view.getUint16(first + 2, numbers.little)
      if (type > 18 || typeBytes(type) === 0 || !goesOn(view, first, entry, numbers.little)) continue
      const at = from + i
      if (at < covered) continue
      if (!looks.take(fields)) return found
      if (!mayDescribe(numbers, at + head, fields, entry)) continue
      const ifd = readIfd(numbers, at, big)
      if (!ifd || !describesPicture(ifd, fields)) continue
      found.push(ifd)
      covered = ifd.end
      if (found.length >= MOST_FOUND) return found
    }
    monitor.progress('survey', Math.min(1, (from + PIECE) / reader.size))
    await monitor.pause()
  }
  return found
}

/** Fields of which the first and one of the others have to rise. */
const LOOKED_AT = 3

/** Whether the second field, or the third one, has a tag that rises and a type: bytes that are none seldom do. */
function goesOn(view: DataView, first: number, entry: number, little: boolean): boolean {
  const tag = view.getUint16(first, little)
  for (let i = 1; i < LOOKED_AT; i++) {
    const at = first + i * entry
    if (at + 4 > view.byteLength) return true
    const type = view.getUint16(at + 2, little)
    if (view.getUint16(at, little) > tag && type <= 18 && typeBytes(type) > 0) return true
  }
  return false
}

/** Fields read of what begins like a directory: in other bytes one for some hundred. */
const FIELDS = 100_000
const FIELDS_A_BYTE = 1 / 4

/** Share of fields that must be readable: some writers leave empty ones. */
const READABLE = 0.7

/** The place of each tag among those that tell of pixels, counted from one. */
const KEY_PLACES = new Uint8Array(1 << 16)
for (const [place, tag] of KEY_TAGS.entries()) KEY_PLACES[tag] = place + 1

/** Whether a directory whose fields begin at `first` may describe a picture, by their tags and types alone. */
function mayDescribe(numbers: TiffNumbers, first: number, fields: number, bytes: number): boolean {
  let readable = 0
  let keys = 0
  for (let field = 0; field < fields; field++) {
    const at = first + field * bytes
    if (typeBytes(numbers.u16(at + 2)) === 0) continue
    readable++
    const place = KEY_PLACES[numbers.u16(at)]
    if (place > 0) keys |= 1 << (place - 1)
  }
  return readable >= fields * READABLE && bits(keys) >= ENOUGH_KEYS
}

function bits(value: number): number {
  let count = 0
  for (let left = value; left !== 0; left &= left - 1) count++
  return count
}

function describesPicture(ifd: Ifd, fields: number): boolean {
  if (ifd.entries.size < fields * READABLE || !isPlausible(ifd)) return false
  return KEY_TAGS.filter((tag) => ifd.entries.has(tag)).length >= ENOUGH_KEYS
}
