import { numbersOf } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import type { Structure } from './structure.ts'

/** Bytes beyond each other that nothing may tell of: less is what writers leave between. */
const LEAST_GAP = 256

/**
 * Whether directories that were found tell of most of the file, and leave out nothing that is as large as one of their pictures.
 * Where they do not, others are gone with the header: those of the raw picture, which takes the most, while a preview's are left,
 * or of the first page. So it is where nothing tells of what stands right behind the header, where most writers put the first
 * directory.
 */
export function isExplained(numbers: TiffNumbers, structure: Structure | undefined): boolean {
  const { size } = numbers.reader
  const ranges = explainedRanges(numbers, structure).sort(([a], [b]) => a - b)
  let [explained, reached, gap] = [0, 0, 0]
  if ((ranges[0]?.[0] ?? size) >= LEAST_GAP) return false
  for (const [from, to] of ranges) {
    explained += to - from
    gap = Math.max(gap, from - reached)
    reached = Math.max(reached, to)
  }
  const pages = (structure?.images ?? [])
    .filter(({ reduced }) => !reduced)
    .map(({ units }) => units.reduce((sum, { bytes }) => sum + bytes, 0))
  return explained * 2 >= size && (gap < LEAST_GAP || gap < Math.min(...pages))
}

type ByteRange = readonly [number, number]

/** Bytes that directories, their values and pictures take. */
export function explainedRanges(numbers: TiffNumbers, structure: Structure | undefined): ByteRange[] {
  const ranges: ByteRange[] = []
  eachExplained(numbers, structure, (offset, bytes) => ranges.push([offset, offset + bytes]))
  return ranges
}

/** Where the last of those end. */
export function explainedEnd(numbers: TiffNumbers, structure: Structure): number {
  let end = 0
  eachExplained(numbers, structure, (offset, bytes) => {
    end = Math.max(end, offset + bytes)
  })
  return end
}

function eachExplained(
  numbers: TiffNumbers,
  structure: Structure | undefined,
  add: (offset: number, bytes: number) => void,
): void {
  for (const { units } of structure?.images ?? []) for (const unit of units) add(unit.offset, unit.bytes)
  for (const { offset, end, entries } of [...(structure?.directories ?? []), ...(structure?.beside ?? [])]) {
    add(offset, end - offset)
    for (const entry of entries.values()) if (!entry.inline) add(entry.valueAt, entry.bytes)
    const [place, jpeg] = [entries.get(TAG.jpegOffset), entries.get(TAG.jpegBytes)]
    if (place && jpeg) add(numbersOf(numbers, place, 1)[0] ?? 0, numbersOf(numbers, jpeg, 1)[0] ?? 0)
  }
}
