import type { Limits } from '../../../bytes/limits.ts'
import { type Ifd, numbersOf, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import { imageOf, type TiffImage, unitsWithin } from './image.ts'

/** Where a directory is named from, and whether it is there. */
export interface BrokenPointer {
  /** Where the pointer stands in the file. */
  readonly at: number
  /** Where it points to. */
  readonly to: number
}

/** All directories that can be reached from the first one. */
export interface Structure {
  readonly directories: readonly Ifd[]
  readonly images: readonly TiffImage[]
  readonly broken: readonly BrokenPointer[]
  /** Those of Exif, which describe no pictures. */
  readonly beside: readonly Ifd[]
  /** One of Exif is named where none is. */
  readonly besideLost: boolean
}

/** Directories of one file: pages of a scanned book and to spare. */
const MOST_DIRECTORIES = 4_096

/** Fields that name directories beside those of pictures: Exif 2.32 §4.6.3. */
const BESIDE = [TAG.exifIfd, TAG.gpsIfd, TAG.interoperabilityIfd]

/** Follows the directories of a file from the first one on: next ones, sub-directories, Exif's. */
export function readStructure(numbers: TiffNumbers, first: Ifd, big: boolean, limits: Limits): Structure {
  const directories: Ifd[] = []
  const images: TiffImage[] = []
  const broken: BrokenPointer[] = []
  const units = unitsWithin(numbers.reader.size)
  const seen = new Set<number>([first.offset])
  const waiting: { ifd: Ifd; depth: number }[] = [{ ifd: first, depth: 0 }]
  const follow = (at: number, to: number, depth: number, overwritten = false): void => {
    if (to === 0 || seen.has(to) || seen.size >= MOST_DIRECTORIES || depth > limits.depth) return
    seen.add(to)
    const ifd = readIfd(numbers, to, big)
    if (ifd && isPlausible(ifd)) waiting.push({ ifd, depth })
    else if (!overwritten) broken.push({ at, to })
  }
  for (let i = 0; i < waiting.length; i++) {
    const { ifd, depth } = waiting[i]
    directories.push(ifd)
    const image = imageOf(numbers, ifd, units)
    if (image) images.push(image)
    follow(ifd.nextAt, ifd.next, depth, isOverwritten(ifd))
    const subs = ifd.entries.get(TAG.subIfds)
    if (subs) for (const to of numbersOf(numbers, subs, limits.tracks)) follow(subs.valueAt, to, depth + 1)
  }
  return { directories, images, broken, ...besideOf(numbers, directories, big) }
}

/** Exif's directories of others, and those that they name in turn. */
function besideOf(
  numbers: TiffNumbers,
  directories: readonly Ifd[],
  big: boolean,
): Pick<Structure, 'beside' | 'besideLost'> {
  const beside: Ifd[] = []
  let besideLost = false
  const seen = new Set(directories.map(({ offset }) => offset))
  const waiting = [...directories]
  for (let i = 0; i < waiting.length && seen.size < MOST_DIRECTORIES; i++) {
    for (const tag of BESIDE) {
      const [to] = numbersOf(numbers, waiting[i].entries.get(tag), 1)
      if (!to || seen.has(to)) continue
      seen.add(to)
      const ifd = readIfd(numbers, to, big)
      if (ifd && isPlausible(ifd)) {
        beside.push(ifd)
        waiting.push(ifd)
      } else besideLost = true
    }
  }
  return { beside, besideLost }
}

/** Whether values of a directory lie over its pointer to the next one: some writers leave that out. */
function isOverwritten({ nextAt, end, entries }: Ifd): boolean {
  return [...entries.values()].some(
    ({ inline, valueAt, bytes }) => !inline && valueAt < end && valueAt + bytes > nextAt,
  )
}

/** Whether fields stand in rising order, as they must (TIFF 6.0 §2), all but a few of them. */
export function isPlausible(ifd: Ifd): boolean {
  let rising = 0
  let last = -1
  for (const { tag } of ifd.entries.values()) {
    if (tag > last) rising++
    last = tag
  }
  return ifd.entries.size > 0 && rising >= ifd.entries.size * RISING
}

const RISING = 0.8
