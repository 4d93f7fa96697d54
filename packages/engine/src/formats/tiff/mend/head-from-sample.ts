import { ByteReader } from '../../../bytes/reader.ts'
import { ShiftedSource } from '../../../bytes/shifted-source.ts'
import { leastOf } from '../../../model/extremes.ts'
import { Findings } from '../../../model/finding.ts'
import { blankFields, personalFields } from '../../../photo/raw/personal-fields.ts'
import { type Ifd, numberOf, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import type { RepairJob } from '../../format.ts'
import { type Assessment, assess } from '../assess.ts'
import { type CheckedUnit, checkUnits, unpackedWithin } from '../read/check-units.ts'
import { VC5 } from '../read/compression.ts'
import { imageOf, type TiffImage } from '../read/image.ts'
import { mainImage } from '../report.ts'
import type { Patches } from '../write/patches.ts'
import { adoptDirectories } from './adopt-directories.ts'
import { isFixed, type PlacedPixels, placePixels } from './place-pixels.ts'
import { putNumber } from './rebuild-units.ts'

/** The damaged file's pixels behind the sample's header and directories. */
export interface SplicedHead {
  readonly assessment: Assessment
  /** Where the pixels begin was guessed. */
  readonly guessed: boolean
  /** Bytes that the result has at least. */
  readonly least: number
  /** Answers whether the fields of where units lie stand where the sample has them. */
  apply(patches: Patches): boolean
}

/** Largest head that is taken over. */
const MOST_HEAD = 64 * 1024 * 1024
/** Zeros at the start by which a head is known to be gone, and what is behind it to lie where it lay. */
const BLANK = 64

/**
 * Header and directories of a sample of the same camera in front of the damaged file's own pixels, where the sample or the pixels
 * tell how those lie. What survives of the file's own directories is kept.
 */
export async function headFromSample(job: RepairJob, own: Assessment): Promise<SplicedHead | undefined> {
  if (!job.sample) return undefined
  const sample = await assess(job.sample.reader, job.limits, job.monitor)
  const main = mainImage(sample.images)?.image
  if (!sample.numbers || !sample.root || !main || !sample.healthy || sample.shift > 0) return undefined
  const first = leastOf(main.units, ({ offset }) => offset)
  // a first directory that survives, or that has no more to say than what was found, needs none
  if (own.root && (isFirst(own.root) || !isFirst(sample.root))) return undefined
  const end = structureEnd(sample, first)
  if (end > MOST_HEAD || sample.root.offset >= first) return undefined
  const { reader } = job.damaged
  const zeros = leadingZeros(reader)
  const found =
    ownPlace(own, main) ??
    (await placePixels(
      { sample: sample.numbers.reader, main, damaged: reader, stands: zeros > 0 || own.header !== undefined },
      job.monitor,
    ))
  if (!found) return undefined
  // where pixels began in front of where the sample's structures end, all of the file moves back
  const early = leastOf(found.units, ({ offset }) => offset)
  const extra = zeros > 0 && !own.root && own.images.length === 0 && early < end ? first - early : 0
  const blank = zeros > 0 ? zeros + extra : 0
  const placed = {
    ...found,
    shift: found.shift + extra,
    units: found.units.map(({ offset, bytes }) => ({ offset: offset + extra, bytes })),
  }
  const { shift, units: places, start } = placed
  const moved = new ByteReader(shift === 0 ? reader.source : new ShiftedSource(reader.source, shift))
  const numbers = new TiffNumbers(moved, sample.numbers.little)
  const image: TiffImage = { ...main, units: main.units.map((unit, i) => ({ ...unit, ...places[i] })) }
  const begin = leastOf(image.units, ({ offset }) => offset)
  // what is known to be gone comes from the sample, else no more than its structures take
  const gone = Math.max(shift, blank)
  const length = Math.min(begin, first, gone > 0 ? gone : end)
  if (length < Math.min(end, gone || end) || begin >= moved.size) return undefined
  const head = Uint8Array.from(sample.numbers.reader.bytes(0, length))
  blankPreviews(head, sample, main)
  blankFields(head, personalFields(sample.numbers, sample.root, sample.big))
  const checked = await checkUnits(numbers, image, job.monitor, unpackedWithin(moved.size))
  const chained = !isFixed(main) && main.compression !== VC5
  const units = checked.map((each) => withoutStart(each, gone, chained))
  return {
    guessed: placed.guessed,
    least: 0,
    assessment: {
      ...sample,
      findings: new Findings(0),
      numbers,
      shift: 0,
      searched: false,
      structure: sample.structure && { ...sample.structure, broken: [] },
      strays: [],
      images: [{ image, units }],
      healthy: false,
    },
    apply: (patches) => {
      patches.put(0, head)
      if (start > 0 && gone > begin)
        patches.put(begin, Uint8Array.from(job.sample?.reader.bytes(first, start) ?? []))
      const kept = adoptDirectories({ sample, own, numbers, length, main, units: image.units }, patches)
      if (kept) return false
      for (const unit of image.units) {
        putNumber(numbers, main.offsets, unit.index, unit.offset, patches)
        if (main.counts) putNumber(numbers, main.counts, unit.index, unit.bytes, patches)
      }
      return true
    },
  }
}

/**
 * Where what stands in front of the pixels ends of header, directories and their values, Exif's among them; previews lie
 * elsewhere.
 */
function structureEnd({ structure, numbers, big }: Assessment, first: number): number {
  let end = 8
  const count = (from: number, to: number): void => {
    if (from < first && to <= first) end = Math.max(end, to)
  }
  for (const ifd of structure?.directories ?? []) {
    count(ifd.offset, ifd.end)
    for (const { inline, valueAt, bytes } of ifd.entries.values())
      if (!inline) count(valueAt, valueAt + bytes)
    const exif = numbers && directoryAt(numbers, ifd, TAG.exifIfd, big)
    if (!exif) continue
    count(exif.offset, exif.end)
    for (const { inline, valueAt, bytes } of exif.entries.values())
      if (!inline) count(valueAt, valueAt + bytes)
  }
  return end
}

/** Zeros where the sample's own smaller pictures lie: they show another photo. */
function blankPreviews(head: Uint8Array, { structure, numbers }: Assessment, main: TiffImage): void {
  if (!structure || !numbers) return
  const blank = (offset: number, bytes: number): void => {
    head.fill(0, Math.min(offset, head.length), Math.min(offset + bytes, head.length))
  }
  for (const ifd of structure.directories) {
    const image = imageOf(numbers, ifd)
    if (image && image.offsets.at !== main.offsets.at)
      for (const { offset, bytes } of image.units) blank(offset, bytes)
    const [at, bytes] = [TAG.jpegOffset, TAG.jpegBytes].map((tag) => numberOf(numbers, ifd, tag, 0))
    if (at > 0) blank(at, bytes)
  }
}

/** A first directory tells of the camera. */
function isFirst({ entries }: Ifd): boolean {
  return entries.has(TAG.make) && entries.has(TAG.model)
}

/** Where the file's own directory of the main picture has its pixels, if it survives. */
function ownPlace({ images, shift, shiftProven }: Assessment, main: TiffImage): PlacedPixels | undefined {
  const mine = images.find(
    ({ image: { width, height, compression } }) =>
      width === main.width && height === main.height && compression === main.compression,
  )
  if (mine?.image.units.length !== main.units.length) return undefined
  const units = mine.image.units.map(({ offset, bytes }) => ({ offset, bytes }))
  return { shift, units, guessed: !shiftProven, start: 0 }
}

function directoryAt(numbers: TiffNumbers, ifd: Ifd, tag: number, big: boolean): Ifd | undefined {
  const at = numberOf(numbers, ifd, tag, 0)
  return at > 0 ? readIfd(numbers, at, big) : undefined
}

/** The zeros that the file begins with; 0 where they are too few to show anything. */
function leadingZeros(reader: ByteReader): number {
  for (let from = 0; from < Math.min(reader.size, MOST_HEAD); from += PIECE) {
    const at = reader.bytes(from, PIECE).findIndex((byte) => byte !== 0)
    if (at >= 0) return from + at < BLANK ? 0 : from + at
  }
  return 0
}

const PIECE = 64 * 1024

/**
 * A unit of which what lies before `end` is gone: all of it where it is one code, which nothing can read without its beginning.
 */
function withoutStart(checked: CheckedUnit, end: number, chained: boolean): CheckedUnit {
  const { unit, state } = checked
  if (state !== 'whole' || unit.offset >= end || unit.bytes === 0) return checked
  if (chained) return { unit, state: 'broken', rows: 0 }
  const gone = Math.ceil((unit.height * Math.min(unit.bytes, end - unit.offset)) / unit.bytes)
  return { ...checked, gone }
}
