import type { Limits } from '../../../bytes/limits.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import { ShiftedSource } from '../../../bytes/shifted-source.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { type Ifd, type IfdEntry, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { unpackedWithin, unpacksWhole } from '../read/check-units.ts'
import { UNCOMPRESSED, unpacks } from '../read/compression.ts'
import type { TiffImage, Unit } from '../read/image.ts'
import { readStructure, type Structure } from '../read/structure.ts'
import { movedAmongRows } from './moved-rows.ts'
import { movedWithin } from './moved-within.ts'
import { likeness } from './shift.ts'

/** Bytes that came into a file, or are gone from it. */
export interface Moved {
  /** Where, from the beginning of the damaged file. */
  readonly at: number
  /** How many came in; negative: how many are gone. */
  readonly by: number
}

/** A file's pointers, and between which places something moved by how much. */
export interface MovedFile {
  readonly numbers: TiffNumbers
  readonly big: boolean
  readonly limits: Limits
  /** Where the first directory should lie. */
  readonly root: number
  readonly by: number
  readonly from: number
  /** Where everything moved, the place that its pointers have. */
  readonly to: number
  /** Something moved, and be it a directory alone: else only what looks better for it shows that. */
  readonly certain: boolean
}

/** Bytes that come in or go together: a cluster of a medium. */
export const MOST_MOVED = 64 * 1024

/** The file as it was before bytes came in or went; those that went are zeros. */
export function movedBack({ reader, little }: TiffNumbers, { at, by }: Moved): TiffNumbers {
  return new TiffNumbers(new ByteReader(new ShiftedSource(reader.source, -by, at)), little)
}

/**
 * Where bytes came into a file or are gone from it: in front of that place values, strips and tiles lie where the file's pointers
 * have them, behind it as far from there as everything moved. Undefined where nothing shows that anything but a directory moved.
 */
export function findMoved(file: MovedFile): Moved | undefined {
  const { numbers, big, limits, root, by, from, to, certain } = file
  const before = numbers
  const after = movedBack(numbers, { at: 0, by })
  const directory = readIfd(root >= to ? after : before, root, big)
  if (!directory) return undefined
  const stays = ({ entry, start }: Value): number => likeness(before, entry, start)
  const moves = ({ entry, start }: Value): number => likeness(after, entry, start)
  const all = outside(directory)
  const around = all.filter(({ start }) => start >= from && start < to)
  // whatever lies behind moved as well: what shows that speaks for all of it
  const gain = all
    .filter(({ start }) => start >= to)
    .reduce((sum, value) => sum + moves(value) - stays(value), 0)
  const values = split(around, stays, moves, { from, to, gain: Math.max(0, gain) })
  const allowance = unpackedWithin(numbers.reader.size)
  const way = movedBack(numbers, { at: endOf(values, by), by })
  const first = readIfd(way, root, big)
  if (!first) return undefined
  const units = unitsOf(readStructure(way, first, big, limits), values)
  const place = placeAmong(units, values, { before, after, by, allowance, certain })
  return place === undefined ? undefined : { at: place, by }
}

interface Part {
  readonly start: number
  readonly end: number
}

interface ImageUnit extends Part {
  readonly image: TiffImage
  readonly unit: Unit
}

interface Span {
  readonly from: number
  readonly to: number
  /** By how much parts look better than had none of them moved. */
  readonly gain: number
}

interface BothWays {
  readonly before: TiffNumbers
  readonly after: TiffNumbers
  readonly by: number
  readonly allowance: Allowance
  readonly certain: boolean
}

/** The last place that leaves what moved behind `to` as it is. */
function endOf({ from, to }: Span, by: number): number {
  return by < 0 ? Math.max(from, to + by) : to
}

interface Value extends Part {
  readonly entry: IfdEntry
}

function outside({ entries }: Ifd): Value[] {
  return [...entries.values()]
    .filter(({ inline }) => !inline)
    .map((entry) => ({ entry, start: entry.valueAt, end: entry.valueAt + entry.bytes }))
    .sort((a, b) => a.start - b.start)
}

function unitsOf({ images }: Structure, { from, to }: Span): ImageUnit[] {
  return images
    .flatMap((image) =>
      image.units.map((unit) => ({ image, unit, start: unit.offset, end: unit.offset + unit.bytes })),
    )
    .filter(({ start, end }) => end > from && start < to && start > 0 && end > start)
    .sort((a, b) => a.start - b.start)
}

/** Between which places, of those in `span`, parts look best: as they stand in front, moved behind. */
function split<Kind extends Part>(
  parts: readonly Kind[],
  stays: (part: Kind) => number,
  moves: (part: Kind) => number,
  span: Span,
): Span {
  let score = 0
  let best = 0
  let [first, last] = [0, 0]
  for (const [index, part] of parts.entries()) {
    score += stays(part) - moves(part)
    if (score > best) [best, first] = [score, index + 1]
    if (score >= best) last = index + 1
  }
  return {
    from: Math.max(span.from, parts[first - 1]?.end ?? span.from),
    to: Math.min(span.to, parts[last]?.start ?? span.to),
    gain: span.gain + best - score,
  }
}

/**
 * Where among strips and tiles, or what lies between, bytes came in or went; undefined where neither they nor `span` show
 * anything moved.
 */
function placeAmong(units: readonly ImageUnit[], span: Span, ways: BothWays): number | undefined {
  const { before, after, by, allowance, certain } = ways
  const look =
    (numbers: TiffNumbers) =>
    ({ image, unit }: ImageUnit): number =>
      unpacks(image.compression) && unpacksWhole(numbers, image, unit, allowance) ? 1 : 0
  const among = split(units, look(before), look(after), span)
  const shown = among.gain > 0
  const open = units.filter(({ start, end }) => end > among.from && start < among.to)
  const [first] = open
  if (!first) return shown ? endOf(among, by) : undefined
  const { image, unit } = first
  if (image.compression === UNCOMPRESSED && image.rowBytes > 0) {
    const rows = open.filter((each) => each.image === image).map((each) => each.unit)
    const pixelBytes = Math.max(1, Math.round(image.rowBytes / Math.max(1, unit.width)))
    const readers = { before: before.reader, after: after.reader }
    const place = movedAmongRows({ units: rows, rowBytes: image.rowBytes, pixelBytes, ...readers })
    if (place && (shown || (certain ? place.clear : place.sure))) return place.at
    return shown ? endOf(among, by) : undefined
  }
  const within = movedWithin({ before, after, image, unit })
  const broken = certain && unpacks(image.compression) && look(before)(first) === 0
  return within ?? (shown || broken ? endOf({ ...among, to: Math.min(first.end, among.to) }, by) : undefined)
}
