import type { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { type Ifd, numbersOf } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import { findDirectories } from '../read/find-directories.ts'
import { imageOf, unitsWithin } from '../read/image.ts'
import { missingInFront, pointersOf } from './shift.ts'

/** The first directory of a file whose header does not tell it, and how the file lies. */
export interface FoundRoot {
  readonly numbers: TiffNumbers
  readonly big: boolean
  /** Where it lies in the damaged file. */
  readonly root: Ifd
  /** Bytes missing in front of the damaged file, and whether anything shows that. */
  readonly shift: number
  readonly shiftProven: boolean
  /** Directories that no other points to, the root apart: pages whose predecessor is gone. */
  readonly strays: readonly Ifd[]
}

/** Looks for the first directory in the bytes, in whichever byte order. */
export async function findRoot(
  known: TiffNumbers | undefined,
  reader: TiffNumbers['reader'],
  monitor: Monitor,
): Promise<FoundRoot | undefined> {
  const orders = known ? [known] : [new TiffNumbers(reader, true), new TiffNumbers(reader, false)]
  let best: (FoundRoot & { score: number }) | undefined
  for (const big of [false, true]) {
    for (const numbers of orders) {
      const found = await findDirectories(numbers, big, monitor)
      const missing = found.length > 0 ? missingInFront(numbers, found, big) : undefined
      if (!missing) continue
      const { bytes: shift, proven: shiftProven } = missing
      const named = new Set(found.flatMap((ifd) => pointersOf(numbers, ifd)))
      const allowance = unitsWithin(reader.size)
      const roots = withoutOld(
        numbers,
        found.filter(({ offset }) => !named.has(offset + shift)),
      )
      const weights = new Map(roots.map((ifd) => [ifd, weight(numbers, ifd, allowance)]))
      const weightOf = (ifd: Ifd): number => weights.get(ifd) ?? 0
      const [root] = [...roots].sort(
        (a, b) => weightOf(b) - weightOf(a) || b.entries.size - a.entries.size || a.offset - b.offset,
      )
      if (!root) continue
      const score = found.length
      if (!best || score > best.score)
        best = { numbers, big, root, shift, shiftProven, strays: roots.filter((ifd) => ifd !== root), score }
    }
    if (best) break
  }
  return best
}

/**
 * Without those of whose pixels a later one tells: programs that change a photo write its directory anew behind it, and leave the
 * old one.
 */
function withoutOld(numbers: TiffNumbers, roots: readonly Ifd[]): readonly Ifd[] {
  const pixelsOf = ({ entries }: Ifd): string =>
    [TAG.stripOffsets, TAG.tileOffsets, TAG.imageWidth, TAG.imageLength]
      .map((tag) => numbersOf(numbers, entries.get(tag), MOST_COMPARED).join())
      .join(' ')
  const last = new Map(roots.map((ifd) => [pixelsOf(ifd), ifd]))
  return roots.filter((ifd) => !ifd.entries.has(TAG.stripOffsets) || last.get(pixelsOf(ifd)) === ifd)
}

/** Places of strips that tell whether two directories are of the same pixels. */
const MOST_COMPARED = 64

/** A first directory points to others, and describes a picture. */
function weight(numbers: TiffNumbers, ifd: Ifd, allowance: Allowance): number {
  return pointersOf(numbers, ifd).length * 2 + (imageOf(numbers, ifd, allowance) ? 1 : 0)
}
