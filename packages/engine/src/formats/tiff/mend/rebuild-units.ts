import type { Ifd, IfdEntry } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TYPE, typeBytes } from '../../../syntax/tiff-ifd/tags.ts'
import type { CheckedUnit } from '../read/check-units.ts'
import { compressionOf } from '../read/compression.ts'
import { countsTag, plainBytes, type TiffImage } from '../read/image.ts'
import { placeOfField } from '../read/lost-fields.ts'
import type { Patches } from '../write/patches.ts'

/** Bytes that units put together anew may take in one file. */
const MOST_REBUILT = 256 * 1024 * 1024

/**
 * Puts strips and tiles together anew whose coding breaks off: what could be unpacked of them, and nothing behind it, in the same
 * compression at the end of the file, so that readers that stop at the first fault show all the others. `lost` is where fields of
 * its directory stood that were overwritten.
 */
export function rebuildUnits(
  numbers: TiffNumbers,
  image: TiffImage,
  checked: readonly CheckedUnit[],
  lost: readonly number[],
  patches: Patches,
): void {
  const places = image.units.map(({ offset, bytes }) => ({ offset, bytes }))
  repack(numbers, image, checked, places, patches)
  if (!image.counts) putCounts(numbers, image, places, lost, patches)
  if (
    image.named < image.expected ||
    places.some(({ offset }) => offset > MOST_SHORT && image.offsets.type === TYPE.short) ||
    places.some(({ bytes }) => bytes > MOST_SHORT && image.counts?.type === TYPE.short)
  ) {
    replaceFields(numbers, image, places, patches)
    return
  }
  for (const [index, { offset, bytes }] of places.entries()) {
    const { unit } = checked[index]
    const inferred = image.inferred?.has(index)
    if (offset !== unit.offset || inferred) putNumber(numbers, image.offsets, index, offset, patches)
    if ((bytes !== unit.bytes || inferred) && image.counts)
      putNumber(numbers, image.counts, index, bytes, patches)
  }
}

interface Place {
  offset: number
  bytes: number
}

const MOST_SHORT = 0xffff

/** Appends units whose coding breaks off and says where they lie now. */
function repack(
  numbers: TiffNumbers,
  image: TiffImage,
  checked: readonly CheckedUnit[],
  places: Place[],
  patches: Patches,
): void {
  const compression = compressionOf(image.compression)
  if (!compression || !image.counts) return
  let budget = MOST_REBUILT
  for (const { unit, state } of checked) {
    const plain = plainBytes(numbers, image, unit)
    if (state === 'whole' || plain === 0 || plain > budget) continue
    budget -= plain
    const there = numbers.reader.bytes(unit.offset, unit.bytes)
    const bytes = new Uint8Array(plain)
    bytes.set(compression.unpack(there, plain).bytes)
    const packed = compression.pack(bytes, image.rowBytes)
    places[unit.index] = { offset: patches.append(packed), bytes: packed.length }
  }
}

/** Puts the field of lengths in place of the one that was lost. */
function putCounts(
  numbers: TiffNumbers,
  { ifd, offsets }: TiffImage,
  places: readonly Place[],
  lost: readonly number[],
  patches: Patches,
): void {
  const tag = countsTag(offsets)
  const at = placeOfField(ifd, lost, tag)
  if (at === undefined) return
  const field = new Uint8Array(2)
  new DataView(field.buffer).setUint16(0, tag, numbers.little)
  patches.put(at, field)
  putValues(
    numbers,
    ifd,
    at,
    places.map(({ bytes }) => bytes),
    patches,
  )
}

/** Writes the fields of offsets and counts anew behind the file, as LONG, or LONG8 in a BigTIFF. */
function replaceFields(
  numbers: TiffNumbers,
  image: TiffImage,
  places: readonly Place[],
  patches: Patches,
): void {
  for (const [entry, values] of [
    [image.offsets, places.map(({ offset }) => offset)],
    [image.counts, places.map(({ bytes }) => bytes)],
  ] as const) {
    if (entry) putValues(numbers, image.ifd, entry.at, values, patches)
  }
}

/** Writes type, count and values of the field that stands at `at`: values that do not fit into it behind the file. */
function putValues(
  { little }: TiffNumbers,
  { end, nextAt }: Ifd,
  at: number,
  values: readonly number[],
  patches: Patches,
): void {
  const width = end - nextAt
  const big = width === 8
  const bytes = new Uint8Array(values.length * width)
  const put = (into: Uint8Array, place: number, value: number): void => {
    const view = new DataView(into.buffer)
    if (big) view.setBigUint64(place, BigInt(value), little)
    else view.setUint32(place, value, little)
  }
  for (const [i, value] of values.entries()) put(bytes, i * width, value)
  const field = new Uint8Array(2 + 2 * width)
  new DataView(field.buffer).setUint16(0, big ? TYPE.long8 : TYPE.long, little)
  put(field, 2, values.length)
  if (bytes.length <= width) field.set(bytes, 2 + width)
  else put(field, 2 + width, patches.append(bytes))
  patches.put(at + 2, field)
}

/** Changes one number of a field in place. */
export function putNumber(
  { little }: TiffNumbers,
  { type, valueAt }: IfdEntry,
  index: number,
  value: number,
  patches: Patches,
): void {
  const width = typeBytes(type)
  const bytes = new Uint8Array(width)
  const view = new DataView(bytes.buffer)
  if (type === TYPE.short) view.setUint16(0, value, little)
  else if (width === 8) view.setBigUint64(0, BigInt(value), little)
  else view.setUint32(0, value, little)
  patches.put(valueAt + index * width, bytes)
}
