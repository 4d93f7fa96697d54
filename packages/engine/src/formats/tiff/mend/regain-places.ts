import type { Monitor } from '../../../model/monitor.ts'
import { type Ifd, type IfdEntry, numbersOf } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG, TYPE, typeBytes } from '../../../syntax/tiff-ifd/tags.ts'
import { lostFields, placeOfField } from '../read/lost-fields.ts'

/** Bytes that writers leave between strips and tiles that follow each other. */
const MOST_BETWEEN = 15
/** Strips and tiles whose places are looked for. */
const MOST_UNITS = 1 << 16
const PIECE = 1024 * 1024

/**
 * The fields of where strips and tiles lie, byte by byte, of directories in which something overwrote them: their place among the
 * others is left free, their number is that of the lengths, and their values lie where numbers rise by these lengths. One value
 * alone is left at zero.
 */
export async function regainPlaces(
  numbers: TiffNumbers,
  directories: readonly Ifd[],
  big: boolean,
  monitor: Monitor,
): Promise<ReadonlyMap<number, number>> {
  const bytes = new Map<number, number>()
  for (const ifd of directories) {
    const counts = ifd.entries.get(TAG.tileByteCounts) ?? ifd.entries.get(TAG.stripByteCounts)
    if (!counts || counts.count > MOST_UNITS) continue
    if (ifd.entries.has(TAG.tileOffsets) || ifd.entries.has(TAG.stripOffsets)) continue
    const tag = counts.tag === TAG.tileByteCounts ? TAG.tileOffsets : TAG.stripOffsets
    const at = placeOfField(ifd, lostFields(numbers, ifd, big), tag)
    const values =
      at === undefined || counts.count === 1 ? 0 : await placeOfPlaces(numbers, counts, big, monitor)
    if (at === undefined || values === undefined) continue
    const width = big ? 8 : 4
    const field = new DataView(new ArrayBuffer(4 + 2 * width))
    field.setUint16(0, tag, numbers.little)
    field.setUint16(2, big ? TYPE.long8 : TYPE.long, numbers.little)
    for (const [i, value] of [counts.count, values].entries())
      if (big) field.setBigUint64(4 + i * width, BigInt(value), numbers.little)
      else field.setUint32(4 + i * width, value, numbers.little)
    for (let i = 0; i < field.byteLength; i++) bytes.set(at + i, field.getUint8(i))
  }
  return bytes
}

/** Where in the file numbers lie that rise by lengths as strips and tiles do that follow each other. */
async function placeOfPlaces(
  numbers: TiffNumbers,
  counts: IfdEntry,
  big: boolean,
  monitor: Monitor,
): Promise<number | undefined> {
  const { reader, little } = numbers
  const lengths = numbersOf(numbers, counts, MOST_UNITS)
  if (lengths.length < counts.count) return undefined
  const width = typeBytes(big ? TYPE.long8 : TYPE.long)
  const follows = (from: number, to: number, length: number): boolean =>
    to - from >= length && to - from <= length + MOST_BETWEEN
  const number = (at: number): number => (big ? numbers.u64(at) : numbers.u32(at))
  const rise = (at: number): boolean =>
    lengths.every((length, i) => {
      const next = i + 1 < lengths.length ? number(at + (i + 1) * width) : undefined
      const from = number(at + i * width)
      return next === undefined ? from + length <= reader.size : follows(from, next, length)
    })
  for (let from = 0; from < reader.size; from += PIECE) {
    const piece = Uint8Array.from(reader.bytes(from, PIECE + 2 * width))
    const view = new DataView(piece.buffer)
    for (let i = 0; i + 2 * width <= piece.length && i < PIECE; i += 2) {
      const low = big && !little ? i + 4 : i
      if (!follows(view.getUint32(low, little), view.getUint32(low + width, little), lengths[0])) continue
      if (number(from + i) > 0 && rise(from + i)) return from + i
    }
    await monitor.pause()
  }
  return undefined
}
