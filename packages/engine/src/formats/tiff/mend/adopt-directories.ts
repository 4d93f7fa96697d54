import type { Region } from '../../../bytes/regions.ts'
import { blankFields, personalFields } from '../../../photo/raw/personal-fields.ts'
import { type Ifd, type IfdEntry, numberOf, numbersOf, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG, TYPE } from '../../../syntax/tiff-ifd/tags.ts'
import type { Assessment } from '../assess.ts'
import type { TiffImage } from '../read/image.ts'
import { isPlausible } from '../read/structure.ts'
import type { Patches } from '../write/patches.ts'

/** A sample's head in front of a damaged file, of which directories may survive behind it. */
export interface Adoption {
  readonly sample: Assessment
  readonly own: Assessment
  /** The damaged file as its bytes lie in the result. */
  readonly numbers: TiffNumbers
  /** Bytes of the head: what is behind it is the damaged file's. */
  readonly length: number
  readonly main: TiffImage
  /** Where the main picture's pixels lie in the result. */
  readonly units: readonly { readonly offset: number; readonly bytes: number }[]
}

/** Largest value that is taken over from behind the head. */
const MOST_VALUE = 256 * 1024
const MOST_POINTERS = 64
/** Part of the fields that two directories of one kind have in common. */
const ALIKE = 0.7

/**
 * Leads the head's pointers to the damaged file's own directories, where they survive, and appends the sample's where they do
 * not; values of the head that lie behind it, too. Answers whether the main picture's directory says already where its pixels
 * lie.
 */
export function adoptDirectories(adoption: Adoption, patches: Patches): boolean {
  const { sample, length, main } = adoption
  const { numbers, root, big } = sample
  if (!numbers || !root || big) return false
  const fields = personalFields(numbers, root, big)
  let told = false
  const places = new Map<number, number>()
  /** Where the result has the directory that the sample has at an offset. */
  const placeOf = (offset: number): number => {
    const known = places.get(offset)
    if (known !== undefined) return known
    const theirs = readIfd(numbers, offset, false)
    const mine = theirs && ownLike(adoption, theirs)
    if (offset === main.ifd.offset) told = true
    const place = mine ?? (theirs ? appendCopy(adoption, theirs, fields, patches) : 0)
    places.set(offset, place)
    return place
  }
  const lead = (at: number, to: number): void => {
    if (to < length || at + POINTER > length) return
    const place = placeOf(to)
    if (place !== to) patches.put(at, u32(numbers, place))
  }
  for (const ifd of headDirectories(sample, length)) {
    lead(ifd.nextAt, ifd.next)
    for (const entry of ifd.entries.values()) {
      if (entry.tag === TAG.subIfds || entry.tag === TAG.exifIfd) {
        if (entry.type !== TYPE.long && entry.type !== TYPE.ifd) continue
        const pointers = numbersOf(numbers, entry, MOST_POINTERS)
        for (const [i, to] of pointers.entries()) lead(entry.valueAt + i * POINTER, to)
      } else if (!entry.inline && entry.valueAt + entry.bytes > length) {
        const bytes = isUnitsField(main, entry)
          ? unitsField(adoption, entry)
          : valueBytes(adoption, entry, fields)
        if (!bytes) continue
        if (isUnitsField(main, entry)) told = true
        patches.put(entry.at + 8, u32(numbers, patches.append(bytes)))
      }
    }
  }
  return told
}

const POINTER = 4

/** The directories of a sample that lie in its head whole, Exif's among them. */
function headDirectories({ structure, numbers }: Assessment, length: number): readonly Ifd[] {
  const all = (structure?.directories ?? []).flatMap((ifd) => {
    const at = numbers ? numberOf(numbers, ifd, TAG.exifIfd, 0) : 0
    const exif = numbers && at > 0 ? readIfd(numbers, at, false) : undefined
    return exif ? [ifd, exif] : [ifd]
  })
  return all.filter(({ end }) => end <= length)
}

/** Where a directory of the damaged file's own lies that describes the same as one of the sample's. */
function ownLike({ own, numbers, sample, length }: Adoption, theirs: Ifd): number | undefined {
  const same = readIfd(numbers, theirs.offset, false)
  if (same && isPlausible(same) && alike(numbers, same, sample, theirs)) return theirs.offset
  const shift = numbers.reader.size - (own.numbers?.reader.size ?? numbers.reader.size)
  for (const { offset } of [...(own.structure?.directories ?? []), ...own.strays]) {
    const ifd = offset + shift >= length ? readIfd(numbers, offset + shift, false) : undefined
    if (ifd && alike(numbers, ifd, sample, theirs)) return offset + shift
  }
  return undefined
}

function alike(numbers: TiffNumbers, mine: Ifd, { numbers: sample }: Assessment, theirs: Ifd): boolean {
  const both = [...theirs.entries.keys()].filter((tag) => mine.entries.has(tag)).length
  const all = Math.max(theirs.entries.size, mine.entries.size)
  return (
    both >= all * ALIKE &&
    [TAG.imageWidth, TAG.imageLength, TAG.compression].every(
      (tag) => sample && numberOf(sample, theirs, tag, 0) === numberOf(numbers, mine, tag, 0),
    )
  )
}

/** Appends a directory of the sample with its values. */
function appendCopy(adoption: Adoption, ifd: Ifd, fields: readonly Region[], patches: Patches): number {
  const { sample, main } = adoption
  const { numbers } = sample
  if (!numbers) return 0
  const bytes = sampleBytes(sample, ifd.offset, ifd.end - ifd.offset, fields)
  for (const entry of ifd.entries.values()) {
    const at = entry.at - ifd.offset + 8
    const units = ifd.offset === main.ifd.offset && isUnitsField(main, entry)
    const value = units
      ? unitsField(adoption, entry)
      : entry.inline
        ? undefined
        : valueBytes(adoption, entry, fields)
    if (!value) continue
    bytes.set(value.length <= POINTER ? value : u32(numbers, patches.append(value)), at)
  }
  // the next one is not led to from here
  bytes.fill(0, bytes.length - POINTER)
  return patches.append(bytes)
}

/** A value of the sample; undefined where the result has the same bytes at its place, or it is too long to be one. */
function valueBytes(
  { sample, numbers }: Adoption,
  { valueAt, bytes }: IfdEntry,
  fields: readonly Region[],
): Uint8Array | undefined {
  if (bytes > MOST_VALUE) return undefined
  const value = sampleBytes(sample, valueAt, bytes, fields)
  const there = numbers.reader.bytes(valueAt, bytes)
  return there.length === value.length && value.every((byte, i) => byte === there[i]) ? undefined : value
}

function sampleBytes(
  { numbers }: Assessment,
  offset: number,
  length: number,
  fields: readonly Region[],
): Uint8Array {
  const bytes = Uint8Array.from(numbers?.reader.bytes(offset, length) ?? [])
  const inside = fields.filter(
    (field) => field.offset < offset + length && field.offset + field.length > offset,
  )
  blankFields(
    bytes,
    inside.map((field) => {
      const from = Math.max(0, field.offset - offset)
      return { offset: from, length: field.offset + field.length - offset - from }
    }),
  )
  return bytes
}

function isUnitsField({ offsets, counts }: TiffImage, { at }: IfdEntry): boolean {
  return at === offsets.at || at === counts?.at
}

/** The field of where units lie, or of their bytes, as the result has them. */
function unitsField({ main, units, sample }: Adoption, { at, type }: IfdEntry): Uint8Array {
  const values = units.map(({ offset, bytes }) => (at === main.offsets.at ? offset : bytes))
  const width = type === TYPE.short ? 2 : 4
  const field = new Uint8Array(values.length * width)
  const view = new DataView(field.buffer)
  const little = sample.numbers?.little
  for (const [i, value] of values.entries())
    if (width === 2) view.setUint16(2 * i, value, little)
    else view.setUint32(4 * i, value, little)
  return field
}

function u32({ little }: TiffNumbers, value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, little)
  return bytes
}
