import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { isZero } from '../../bytes/zeros.ts'
import { Allowance } from '../../model/allowance.ts'
import type { Monitor } from '../../model/monitor.ts'
import { codedHoles } from '../../photo/raw/unwritten.ts'

/** One record of a heap's directory. */
export interface Record {
  /** Type and number, with the bits that say where its value lies. */
  readonly tag: number
  /** Where the value lies, and its bytes; in the record itself for those that say so. */
  readonly offset: number
  readonly length: number
  readonly inside: boolean
}

/** A heap and what its directory names. CIFF 1.0 r4: values in front, the directory behind them, its place at the very end. */
export interface Heap {
  readonly start: number
  readonly end: number
  /** Where the directory begins. */
  readonly directory: number
  readonly records: readonly Record[]
  /** Heaps within. */
  readonly heaps: readonly Heap[]
}

export const HEADER_BYTES = 26
const SIGNATURE = 'HEAPCCDR'
const LITTLE = 0x4949
const RECORD_BYTES = 10
const MOST_RECORDS = 512
const MOST_DEPTH = 8
/** Records of a heap with all heaps within it, however often those are named. */
const MOST_RECORDS_IN_ALL = 1 << 13
const IN_RECORD = 0x4000
/** Numbers with the types of heaps. */
const HEAP_TYPES: ReadonlySet<number> = new Set([0x2800, 0x3000])
const TYPE = 0x3800

export const TAG = {
  raw: 0x2005,
  jpeg: 0x2007,
  thumbnail: 0x2008,
  properties: 0x300a,
  image: 0x1810,
  sensor: 0x1031,
  decoder: 0x1835,
  model: 0x080a,
} as const

export function isHeap({ tag, inside }: Record): boolean {
  return !inside && HEAP_TYPES.has(tag & TYPE)
}

/** Zeros in front of the code of a raw picture, and a few that it may begin with. */
export const CODE_FRONT = 514
const MOST_FRONT = 522

/** How a raw picture lies: in some cameras' the lowest two bits of all values stand in front, uncoded. */
export interface RawLayout {
  /** Bytes of the lowest bits; 0 where they are coded with the others. */
  readonly lowBits: number
  readonly holes: readonly Region[]
}

/** Where a raw picture's low bits end, and which stretches of zeros are not the ones in front of its code. */
export async function rawLayout(
  reader: ByteReader,
  heap: Heap,
  raw: Region,
  monitor: Monitor,
  from: ByteReader = reader,
): Promise<RawLayout> {
  const sensor = recordOf(heap, TAG.sensor)
  const low =
    sensor && sensor.length >= 6 ? (from.u16le(sensor.offset + 2) * from.u16le(sensor.offset + 4)) / 4 : 0
  const lowBits = low > 0 && isZero(reader, raw.offset + low, raw.offset + low + CODE_FRONT) ? low : 0
  const front = raw.offset + lowBits
  const holes = await codedHoles(reader, raw, monitor)
  return {
    lowBits,
    holes: holes.filter(({ offset, length }) => offset !== front || length > MOST_FRONT),
  }
}

/** Bytes of the header, where the file begins with one. */
export function headerBytesOf(reader: ByteReader): number | undefined {
  if (reader.u16(0) !== LITTLE) return undefined
  for (let i = 0; i < SIGNATURE.length; i++)
    if (reader.u8(6 + i) !== SIGNATURE.charCodeAt(i)) return undefined
  return reader.u32le(2)
}

/** The heap in [start, end); undefined where its directory is none, or names more than any file has. */
export function readHeap(
  reader: ByteReader,
  start: number,
  end: number,
  most = new Allowance(MOST_RECORDS_IN_ALL),
  depth = 0,
): Heap | undefined {
  if (depth > MOST_DEPTH || end - start < 6 || end > reader.size) return undefined
  const directory = start + reader.u32le(end - 4)
  const count = reader.u16le(directory)
  const size = 2 + count * RECORD_BYTES
  if (count === 0 || count > MOST_RECORDS || directory < start || directory + size > end - 4) return undefined
  if (!most.take(count)) return undefined
  const records: Record[] = []
  const heaps: Heap[] = []
  for (let i = 0; i < count; i++) {
    const at = directory + 2 + i * RECORD_BYTES
    const tag = reader.u16le(at)
    const inside = (tag & IN_RECORD) !== 0
    const length = inside ? 8 : reader.u32le(at + 2)
    const offset = inside ? at + 2 : start + reader.u32le(at + 6)
    if (offset + length > end) return undefined
    const record = { tag, offset, length, inside }
    records.push(record)
    const heap = isHeap(record) ? readHeap(reader, offset, offset + length, most, depth + 1) : undefined
    if (isHeap(record) && !heap) return undefined
    if (heap) heaps.push(heap)
  }
  return { start, end, directory, records, heaps }
}

/** The first record of a number in a heap and those within. */
export function recordOf(heap: Heap, tag: number): Record | undefined {
  const own = heap.records.find((record) => (record.tag & 0x3fff) === tag)
  return own ?? heap.heaps.map((inner) => recordOf(inner, tag)).find((found) => found !== undefined)
}

/** The photo as its records tell it. */
export interface Sensor {
  readonly width: number
  readonly height: number
  readonly orientation: number
}

/** Quarter turns in degrees with the clock, as Exif numbers them. */
const TURNED: ReadonlyMap<number, number> = new Map([
  ...([
    [90, 6],
    [180, 3],
    [270, 8],
  ] as const),
])

export function sensorOf(reader: ByteReader, heap: Heap): Sensor | undefined {
  const record = recordOf(heap, TAG.image)
  if (!record || record.length < 16) return undefined
  const width = reader.u32le(record.offset)
  const height = reader.u32le(record.offset + 4)
  const orientation = TURNED.get(reader.u32le(record.offset + 12)) ?? 1
  return width > 0 && height > 0 && width < 2 ** 16 && height < 2 ** 16
    ? { width, height, orientation }
    : undefined
}

/** The header of every file of this kind. */
export function headerBytes(): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, LITTLE)
  view.setUint32(2, HEADER_BYTES, true)
  bytes.set(
    Array.from(SIGNATURE, (letter) => letter.charCodeAt(0)),
    6,
  )
  view.setUint32(14, 0x0001_0002, true)
  return bytes
}
