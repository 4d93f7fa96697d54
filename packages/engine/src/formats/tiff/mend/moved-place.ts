import type { Limits } from '../../../bytes/limits.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { BIG_HEADER_BYTES, HEADER_BYTES, type TiffHeader } from '../../../syntax/tiff-ifd/header.ts'
import { type Ifd, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { checkUnit, unpackedWithin } from '../read/check-units.ts'
import { UNCOMPRESSED, unpacks } from '../read/compression.ts'
import { explainedEnd } from '../read/explained.ts'
import { findDirectories } from '../read/find-directories.ts'
import { readStructure, type Structure } from '../read/structure.ts'
import { findMoved, MOST_MOVED, type Moved, movedBack } from './moved.ts'

/** Bytes with which writers fill a file up. */
const MOST_PADDING = 4

/** A file as it was before bytes came in or went. */
export interface MovedPlace {
  readonly numbers: TiffNumbers
  readonly root: Ifd
  readonly structure: Structure
  readonly moved: Moved
}

/** A file whose first directory lies a little behind where the header has it, or in front, and with it what is around. */
export async function movedDirectory(
  numbers: TiffNumbers,
  header: TiffHeader,
  limits: Limits,
  monitor: Monitor,
): Promise<MovedPlace | undefined> {
  const { big, firstIfd: root } = header
  const shifts = (await findDirectories(numbers, big, monitor))
    .map(({ offset }) => offset - root)
    .filter((by) => by !== 0 && Math.abs(by) <= MOST_MOVED)
    .sort((a, b) => Math.abs(a) - Math.abs(b))
  if (shifts.length === 0) return undefined
  const from = big ? BIG_HEADER_BYTES : HEADER_BYTES
  const moved = findMoved({ numbers, big, limits, root, by: shifts[0], from, to: root, certain: true })
  return moved && placeOf(numbers, header, moved, limits)
}

/**
 * A file whose first directory lies where it should, and which is longer than all that it tells of, as far as pixels show that
 * they moved. One that is shorter may as well have been cut off.
 */
export function movedBehind(
  numbers: TiffNumbers,
  header: TiffHeader,
  first: Ifd,
  structure: Structure,
  limits: Limits,
): MovedPlace | undefined {
  if (structure.broken.length > 0) return undefined
  // Exif's directory may be gone because it moved as well: codes show that, rows of pixels do not
  const coded = structure.images.every(
    ({ compression }) => unpacks(compression) && compression !== UNCOMPRESSED,
  )
  if (structure.besideLost && !coded) return undefined
  const { big, firstIfd: root } = header
  const to = explainedEnd(numbers, structure)
  const most = numbers.reader.size - to
  if (most <= 0 || most > MOST_MOVED || !mayHaveMoved(numbers, structure)) return undefined
  const padding = coded ? zerosAtEnd(numbers) : 0
  for (let by = most; by >= Math.max(1, most - padding); by--) {
    const moved = findMoved({ numbers, big, limits, root, by, from: first.end, to, certain: false })
    const place = moved && placeOf(numbers, header, moved, limits)
    if (place && !(structure.besideLost && place.structure.besideLost)) return place
  }
  return undefined
}

/** Zeros behind all that a file tells of with which a writer may have filled it up. */
function zerosAtEnd({ reader }: TiffNumbers): number {
  let zeros = 0
  while (zeros < MOST_PADDING && zeros < reader.size && reader.u8(reader.size - 1 - zeros) === 0) zeros++
  return zeros
}

/** Whether any pixels cannot be read, or none of them would show it. */
function mayHaveMoved(numbers: TiffNumbers, { images }: Structure): boolean {
  const allowance = unpackedWithin(numbers.reader.size)
  return images.some(
    (image) =>
      image.compression === UNCOMPRESSED ||
      image.units.some((unit) => checkUnit(numbers, image, unit, allowance).state !== 'whole'),
  )
}

function placeOf(
  damaged: TiffNumbers,
  { big, firstIfd }: TiffHeader,
  moved: Moved,
  limits: Limits,
): MovedPlace | undefined {
  const numbers = movedBack(damaged, moved)
  const root = readIfd(numbers, firstIfd, big)
  const structure = root && readStructure(numbers, root, big, limits)
  return structure && structure.images.length > 0 ? { numbers, root, structure, moved } : undefined
}
