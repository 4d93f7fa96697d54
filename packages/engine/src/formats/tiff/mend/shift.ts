import { ByteReader } from '../../../bytes/reader.ts'
import { ShiftedSource } from '../../../bytes/shifted-source.ts'
import { isZero } from '../../../bytes/zeros.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { HEADER_BYTES } from '../../../syntax/tiff-ifd/header.ts'
import { type Ifd, type IfdEntry, numbersOf, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG, TYPE } from '../../../syntax/tiff-ifd/tags.ts'
import { unpackedWithin, unpacksWhole } from '../read/check-units.ts'
import { unpacks } from '../read/compression.ts'
import { imageOf, type TiffImage, unitsWithin } from '../read/image.ts'

/** Values behind a directory begin at its end, or at the next even byte. */
const ALIGNMENTS = [0, 1] as const

/** How far a file lies from where its pointers have it. */
export interface Shift {
  /** Bytes missing in front. */
  readonly bytes: number
  /** Values or pixels show it; else nothing does, and it is taken to be none. */
  readonly proven: boolean
}

/**
 * Bytes that are missing in front of the file: by so much does every pointer in it point too far. It is the distance at which
 * most values look like what their fields say, and pixels can be unpacked. Undefined where nothing fits at all.
 */
export function missingInFront(numbers: TiffNumbers, all: readonly Ifd[], big: boolean): Shift | undefined {
  const found = all.slice(0, DIRECTORIES)
  const candidates = new Set<number>([0])
  const allowance = unitsWithin(numbers.reader.size)
  const images = found.flatMap((ifd) => imageOf(numbers, ifd, allowance) ?? [])
  for (const ifd of found) {
    const outside = [...ifd.entries.values()].filter(({ inline }) => !inline)
    const starts = outside.map(({ valueAt }) => valueAt)
    const ends = outside.map(({ valueAt, bytes }) => valueAt + bytes)
    for (const more of ALIGNMENTS) {
      if (starts.length > 0) candidates.add(Math.min(...starts) - ifd.end - more)
      if (ends.length > 0) {
        candidates.add(Math.max(...ends) - ifd.offset + more)
        candidates.add(Math.max(...ends) - numbers.reader.size + more)
      }
    }
    for (const to of pointersOf(numbers, ifd)) for (const other of found) candidates.add(to - other.offset)
  }
  for (const { ifd, units } of images)
    for (const more of ALIGNMENTS) {
      const end = units.reduce((most, { offset, bytes }) => Math.max(most, offset + bytes), 0)
      candidates.add(end + more - ifd.offset)
      candidates.add(end + more - numbers.reader.size)
    }
  const blank = isZero(numbers.reader, 0, HEADER_BYTES)
  const unpacked = unpackedWithin(numbers.reader.size)
  const scored = [...candidates]
    .filter((bytes) => bytes >= 0)
    .map((bytes) => ({ bytes, score: found.reduce((sum, ifd) => sum + fit(numbers, ifd, bytes), 0) }))
    .sort((a, b) => b.score - a.score || a.bytes - b.bytes)
    .slice(0, LIKELIEST)
    .map(({ bytes, score }) => ({
      bytes,
      score: score + pixelFit(numbers, found, bytes, big, unpacked) + (bytes === 0 && blank ? STANDS : 0),
    }))
    .sort((a, b) => b.score - a.score || a.bytes - b.bytes)
  const [best, second] = scored
  if (best.score < 0) return undefined
  return { bytes: best.bytes, proven: best.score - Math.max(0, second?.score ?? 0) >= CLEARLY }
}

/** Directories by which it is told, and distances whose pixels are looked at: more than any photo has. */
const DIRECTORIES = 48
const LIKELIEST = 400

/** By how much a shift must fit better than any other to be certain. */
const CLEARLY = 6
/** A header of zeros is one that was overwritten where it stood. */
const STANDS = 4
/** Pictures whose first pixels are looked at. */
const LOOKED_AT = 4
const UNPACKS = 16
const ADJOINS = 6

/**
 * How well pixels fit their directories when the file lies `shift` bytes further on: they unpack, and adjoin what is written
 * behind them.
 */
function pixelFit(
  numbers: TiffNumbers,
  found: readonly Ifd[],
  shift: number,
  big: boolean,
  unpacked: Allowance,
): number {
  const moved = new TiffNumbers(
    new ByteReader(new ShiftedSource(numbers.reader.source, shift)),
    numbers.little,
  )
  let score = 0
  for (const { offset } of found.slice(0, LOOKED_AT)) {
    const ifd = readIfd(moved, offset + shift, big)
    const image = ifd && imageOf(moved, ifd)
    if (!image || image.units.length === 0) continue
    score += tiling(image, moved.reader.size)
    // bytes that are missing tell nothing
    const [unit] = image.units.filter((each) => each.offset >= shift && each.bytes > 0)
    const whole = unit && unpacks(image.compression) ? unpacksWhole(moved, image, unit, unpacked) : undefined
    if (whole !== undefined) score += whole ? UNPACKS : -UNPACKS
  }
  return score
}

/**
 * How well a directory, its values and pixels lie side by side: writers leave no gaps but for an even start, and nothing lies in
 * two places.
 */
function tiling({ ifd, units }: TiffImage, size: number): number {
  const parts = [...ifd.entries.values()]
    .filter(({ inline }) => !inline)
    .map(({ valueAt, bytes }) => ({ start: valueAt, end: valueAt + bytes }))
  for (const { offset, bytes } of units) parts.push({ start: offset, end: offset + bytes })
  const touches = (edge: number, other: number): boolean => edge - other === 0 || edge - other === 1
  let score = 0
  if (parts.some(({ end }) => touches(ifd.offset, end))) score += ADJOINS
  if (parts.some(({ start }) => touches(start, ifd.end))) score += ADJOINS
  if (parts.some(({ end }) => touches(size, end))) score += ADJOINS
  if (parts.some(({ start, end }) => start < ifd.end && end > ifd.offset)) score -= OVERLAPS
  if (parts.some(({ end }) => end > size + 1)) score -= ADJOINS
  return score
}

const OVERLAPS = 16

/** Directories that one points to. */
export function pointersOf(numbers: TiffNumbers, ifd: Ifd): number[] {
  const subs = numbersOf(numbers, ifd.entries.get(TAG.subIfds), 64)
  const exif = numbersOf(numbers, ifd.entries.get(TAG.exifIfd), 1)
  return [ifd.next, ...subs, ...exif].filter((to) => to > 0)
}

/** How well the values of a directory look like what their fields say when they lie `shift` bytes earlier. */
function fit(numbers: TiffNumbers, ifd: Ifd, shift: number): number {
  let score = 0
  for (const entry of ifd.entries.values()) {
    if (entry.inline) continue
    const at = entry.valueAt - shift
    if (at + entry.bytes > numbers.reader.size) score -= 4
    // what lay in the missing bytes tells nothing
    else if (at >= 0) score += likeness(numbers, entry, at)
  }
  return score
}

/** 4 for a value that looks like what its field says, -2 for one that does not, 0 where nothing can tell. */
export function likeness(numbers: TiffNumbers, { tag, type, count, bytes }: IfdEntry, at: number): number {
  const is = (right: boolean): number => (right ? 4 : -2)
  if (type === TYPE.ascii) {
    const text = numbers.reader.bytes(at, Math.min(bytes, 256))
    return is(
      text[0] !== 0 && text.every((byte, i) => byte === 0 || (byte >= 9 && byte < 127 && i < bytes - 1)),
    )
  }
  if (type === TYPE.rational) return is(numbers.u32(at + 4) !== 0 && numbers.u32(at) < 2 ** 31)
  if (tag === TAG.bitsPerSample) return is(numbers.u16(at) > 0 && numbers.u16(at) <= 64)
  if ((tag === TAG.stripOffsets || tag === TAG.tileOffsets) && type === TYPE.long && count > 1)
    return is(numbers.u32(at) > 0 && numbers.u32(at + 4) > numbers.u32(at))
  return 0
}
