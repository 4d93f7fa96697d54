import { checkStream } from '../../../codecs/jpeg/check-stream.ts'
import { checkStream as checkVc5Stream } from '../../../codecs/vc5/check-stream.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { numberOf } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import { arwRows } from './arw-blocks.ts'
import { faxRowsOf } from './check-fax.ts'
import {
  ARW,
  type Compression,
  compressionOf,
  isByRow,
  JPEG_COMPRESSIONS,
  LZW,
  SENSOR,
  UNCOMPRESSED,
  VC5,
} from './compression.ts'
import { plainBytes, type TiffImage, type Unit } from './image.ts'
import { hasImpossibleZeros } from './impossible-zeros.ts'

/** `whole`: nothing speaks against it. `cut`: the file ends within it or before it. `broken`: its coding breaks off. */
export type UnitState = 'whole' | 'cut' | 'broken'

export interface CheckedUnit {
  readonly unit: Unit
  readonly state: UnitState
  /** Rows of it that can be read from its beginning: all of one that is broken where it does not tell at which. */
  readonly rows: number
  /** Rows of a whole one that are gone at its beginning. */
  readonly gone?: number
}

/** Largest unit that is unpacked to be checked, in bytes. */
export const MOST_CHECKED = 64 * 1024 * 1024

/** Bytes that are unpacked of one file: 125 million pixels of four samples, and what a larger file of usual photos has. */
const UNPACKED = 500_000_000
const UNPACKED_A_BYTE = 8

/** How much is unpacked of a file of so many bytes. */
export function unpackedWithin(bytes: number): Allowance {
  return new Allowance(UNPACKED + bytes * UNPACKED_A_BYTE)
}

/**
 * Holds every strip or tile of a picture against its bytes. Reads what it can unpack, as far as `allowance` goes; of the rest
 * only where it lies.
 */
export async function checkUnits(
  numbers: TiffNumbers,
  image: TiffImage,
  monitor: Monitor,
  allowance: Allowance,
): Promise<readonly CheckedUnit[]> {
  const checked: CheckedUnit[] = []
  for (const unit of image.units) {
    checked.push(checkUnit(numbers, image, unit, allowance))
    await monitor.pause()
  }
  return checked
}

/** Holds one strip or tile against its bytes. */
export function checkUnit(
  numbers: TiffNumbers,
  image: TiffImage,
  unit: Unit,
  allowance: Allowance,
): CheckedUnit {
  const { reader } = numbers
  const there = Math.max(0, Math.min(unit.bytes, reader.size - unit.offset))
  const plain = plainBytes(numbers, image, unit)
  if (unit.offset === 0 || unit.bytes === 0) return { unit, state: 'broken', rows: 0 }
  if (image.compression === UNCOMPRESSED) {
    const rows = image.rowBytes > 0 ? Math.min(unit.height, Math.floor(there / image.rowBytes)) : 0
    return there < unit.bytes ? { unit, state: 'cut', rows } : checkZeros(numbers, image, unit, allowance)
  }
  if (beginsAsJpeg(image)) return checkJpeg(numbers, image, unit, there, allowance)
  if (image.compression === VC5) return checkVc5(numbers, unit, there, allowance)
  const compression = readable(numbers, image, unit)
  const tooMuch = plain > MOST_CHECKED || unit.bytes > MOST_CHECKED
  if (!compression || plain === 0 || tooMuch || !allowance.take(plain + there)) {
    return there < unit.bytes ? cutUnit(image, unit, there) : checkCode(numbers, image, unit, allowance)
  }
  const { bytes, whole } = compression.unpack(reader.bytes(unit.offset, there), plain)
  if (whole) return { unit, state: 'whole', rows: unit.height }
  const rows = Math.min(unit.height, Math.floor(bytes.length / image.rowBytes))
  return { unit, state: there < unit.bytes ? 'cut' : 'broken', rows }
}

/** A unit of a camera's code or a fax's that is there: as far as it contradicts itself, it is damaged. */
function checkCode(numbers: TiffNumbers, image: TiffImage, unit: Unit, allowance: Allowance): CheckedUnit {
  const { width, height, bytes } = unit
  if (
    image.compression === ARW &&
    bytes === width * height &&
    bytes <= MOST_CHECKED &&
    allowance.take(bytes)
  ) {
    const rows = arwRows(numbers.reader.bytes(unit.offset, bytes), width, height)
    if (rows < height) return { unit, state: 'broken', rows }
  }
  const rows = bytes <= MOST_CHECKED ? faxRowsOf(numbers, image, unit, allowance) : undefined
  if (rows !== undefined) return { unit, state: rows < height ? 'broken' : 'whole', rows }
  return checkZeros(numbers, image, unit, allowance)
}

/** A unit that is there. Zeros in it show in all of it, or at any of its rows. */
function checkZeros(numbers: TiffNumbers, image: TiffImage, unit: Unit, allowance: Allowance): CheckedUnit {
  const state = hasImpossibleZeros(numbers, image, unit, allowance) ? 'broken' : 'whole'
  return { unit, state, rows: unit.height }
}

/** A unit that is cut off within: of a code that is written row by row, decoders show rows about as far as its bytes reach. */
function cutUnit({ compression }: TiffImage, unit: Unit, there: number): CheckedUnit {
  const rows = isByRow(compression) ? Math.floor((unit.height * there) / unit.bytes) : 0
  return { unit, state: 'cut', rows }
}

/** Whether a strip or tile was read to its end; undefined where its coding is not read here, so that nothing tells. */
export function unpacksWhole(
  numbers: TiffNumbers,
  image: TiffImage,
  unit: Unit,
  allowance: Allowance,
): boolean | undefined {
  const isRead = beginsAsJpeg(image) || image.compression === VC5 || readable(numbers, image, unit)
  if (!isRead) return undefined
  return checkUnit(numbers, image, unit, allowance).state === 'whole'
}

/** A unit that is a JPEG stream: one that is there is read through, where its process is known and `allowance` is left. */
function checkJpeg(
  numbers: TiffNumbers,
  image: TiffImage,
  unit: Unit,
  there: number,
  allowance: Allowance,
): CheckedUnit {
  if (there < unit.bytes) return cutUnit(image, unit, there)
  const { reader } = numbers
  const start = reader.u16(unit.offset)
  if (!SOI.includes(start)) return { unit, state: 'broken', rows: 0 }
  const whole: CheckedUnit = { unit, state: 'whole', rows: unit.height }
  if (start !== SOI[0] || unit.bytes > MOST_CHECKED || !allowance.take(JPEG_TABLES + unit.bytes * JPEG_STEPS))
    return whole
  const shared = image.ifd.entries.get(TAG.jpegTables)
  const { state, rows } = checkStream(
    reader.bytes(unit.offset, unit.bytes),
    shared && reader.bytes(shared.valueAt, Math.min(shared.bytes, MOST_TABLES)),
  )
  return state === 'broken' ? { unit, state, rows: Math.min(rows, unit.height) } : whole
}

/**
 * A unit that is a VC-5 stream: one that is there is read through, where `allowance` is left. Damage within shows in all of it.
 */
function checkVc5({ reader }: TiffNumbers, unit: Unit, there: number, allowance: Allowance): CheckedUnit {
  if (there < unit.bytes) return { unit, state: 'cut', rows: 0 }
  const whole: CheckedUnit = { unit, state: 'whole', rows: unit.height }
  if (unit.bytes > MOST_CHECKED || !allowance.take(unit.bytes * VC5_STEPS)) return whole
  const state = checkVc5Stream(reader.bytes(unit.offset, unit.bytes))
  return state === 'broken' ? { ...whole, state } : whole
}

/** Codes that a byte has at most, each of one bit. */
const VC5_STEPS = 8
/** Steps of reading a byte of entropy-coded data, and of making the tables to read it with. */
const JPEG_STEPS = 4
const JPEG_TABLES = 1 << 17
/** Longest field of tables for all tiles: eight of Huffman and four of quantisation take less than 3 KB. */
const MOST_TABLES = 1 << 14

/**
 * Whether units begin as JPEG streams: those of TIFF 6.0 itself, §22, have their tables elsewhere and are nothing but
 * entropy-coded data.
 */
function beginsAsJpeg({ compression, ifd }: TiffImage): boolean {
  return JPEG_COMPRESSIONS.includes(compression) && !ifd.entries.has(TAG.jpegQuantisation)
}

/** How to unpack a unit, where that is known: bits in reverse and LZW of before TIFF 6.0 (lowest bit first) are not read here. */
function readable(numbers: TiffNumbers, image: TiffImage, unit: Unit): Compression | undefined {
  if (numberOf(numbers, image.ifd, TAG.fillOrder, 1) !== 1) return undefined
  // Samsung has the number of PackBits for a code of its own
  if (numberOf(numbers, image.ifd, TAG.photometric, 0) === SENSOR) return undefined
  const { reader } = numbers
  const old =
    image.compression === LZW && reader.u8(unit.offset) === 0 && (reader.u8(unit.offset + 1) & 1) === 1
  return old ? undefined : compressionOf(image.compression)
}

/** Start of image, ISO/IEC 10918-1 Table B.1; Kodak's DC120 writes the two bytes of each word in reverse. */
const SOI: readonly number[] = [0xffd8, 0xd8ff]
