import { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { WindowSource } from '../../bytes/window-source.ts'
import { APP1 } from '../../syntax/jpeg-markers/markers.ts'
import { walkSegments } from '../../syntax/jpeg-markers/segments.ts'
import { readTiffHeader } from '../../syntax/tiff-ifd/header.ts'
import { type Ifd, numberOf, numbersOf, readIfd } from '../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../syntax/tiff-ifd/numbers.ts'
import { TAG, TYPE } from '../../syntax/tiff-ifd/tags.ts'

/** The sensor's size, as the facts tell it. */
export interface Sensor {
  readonly width: number
  readonly height: number
}

/** What the header names. */
export interface Header {
  readonly jpeg: Region
  /** Facts about the sensor: numbered records. */
  readonly facts: Region
  /** The sensor's data. */
  readonly data: Region
  /** Of a second frame, where the camera wrote one. */
  readonly further: readonly Region[]
}

export const MAGIC = 'FUJIFILMCCD-RAW '
/** Where the fields of the directory stand, big-endian. */
export const FIELD = {
  model: 28,
  version: 60,
  jpeg: 84,
  facts: 92,
  data: 100,
  facts2: 120,
  data2: 128,
} as const
export const MODEL_BYTES = 32
/** Shortest header: the directory with one frame. */
export const LEAST_HEADER = 108
const SENSOR_SIZE = 0x0100
const MOST_RECORDS = 255

export function hasMagic(reader: ByteReader): boolean {
  for (let i = 0; i < MAGIC.length; i++) if (reader.u8(i) !== MAGIC.charCodeAt(i)) return false
  return true
}

/** The directory at the start of the file. */
export function readHeader(reader: ByteReader): Header {
  const region = (at: number): Region => ({ offset: reader.u32(at), length: reader.u32(at + 4) })
  const jpeg = region(FIELD.jpeg)
  // a header that ends before the fields of a second frame has none
  const room = jpeg.offset >= FIELD.data2 + 8
  const further = room ? [region(FIELD.facts2), region(FIELD.data2)].filter(({ offset }) => offset > 0) : []
  return { jpeg, facts: region(FIELD.facts), data: region(FIELD.data), further }
}

/** Where records begin that follow each other as their number says, and what they say; undefined where they do not. */
export function readFacts(
  reader: ByteReader,
  start: number,
  limit: number,
): { readonly end: number; readonly sensor: Sensor | undefined } | undefined {
  const count = reader.u32(start)
  if (count === 0 || count > MOST_RECORDS) return undefined
  let at = start + 4
  let sensor: Sensor | undefined
  const seen = new Set<number>()
  for (let i = 0; i < count; i++) {
    const length = reader.u16(at + 2)
    const tag = reader.u16(at)
    // dark pixels look like records without number and length, or like one again and again
    if (tag < SENSOR_SIZE || seen.has(tag) || at + 4 + length > Math.min(limit, reader.size)) return undefined
    seen.add(tag)
    if (reader.u16(at) === SENSOR_SIZE && length === 4)
      sensor = { height: reader.u16(at + 4), width: reader.u16(at + 6) }
    at += 4 + length
  }
  return { end: at, sensor: sensor && sensor.width > 0 && sensor.height > 0 ? sensor : undefined }
}

const FUJI_IFD = 0xf000
const DATA_OFFSET = 0xf007
const DATA_BYTES = 0xf008
const RAW_WIDTH = 0xf001
const RAW_HEIGHT = 0xf002

/** The directory in front of the pixels that newer cameras write, and what it says. */
export interface DataDirectory {
  /** Bytes from its start to the end of the pixels. */
  readonly length: number
  readonly sensor: Sensor | undefined
}

/** Reads the directory in front of the pixels; undefined where none is. */
export function readDataDirectory(reader: ByteReader, start: number): DataDirectory | undefined {
  const window = new ByteReader(new WindowSource(reader.source, start, reader.size - start))
  const header = readTiffHeader(window)
  if (!header || header.big) return undefined
  const numbers = new TiffNumbers(window, header.little)
  const root = readIfd(numbers, header.firstIfd, false)
  const at = root && numberOf(numbers, root, FUJI_IFD, 0)
  const ifd = at ? readIfd(numbers, at, false) : undefined
  if (!ifd) return undefined
  const number = (tag: number): number => numberOf(numbers, ifd, tag, 0)
  const [offset = 0] = numbersOf(numbers, ifd.entries.get(DATA_OFFSET), 1)
  if (offset === 0 || number(DATA_BYTES) === 0) return undefined
  const sensor = { width: number(RAW_WIDTH), height: number(RAW_HEIGHT) }
  return {
    length: offset + number(DATA_BYTES),
    sensor: sensor.width > 0 && sensor.height > 0 ? sensor : undefined,
  }
}

/** What the Exif data of the JPEG picture says of camera and photo. */
export function readExif(
  reader: ByteReader,
  jpeg: Region,
): { readonly model: string; readonly orientation: number } {
  const bytes = Uint8Array.from(reader.bytes(jpeg.offset, Math.min(jpeg.length, MOST_SEGMENT)))
  const app1 = walkSegments(bytes, 0).find(({ marker }) => marker === APP1)
  const nothing = { model: '', orientation: 1 }
  if (!app1) return nothing
  const start = jpeg.offset + app1.offset + EXIF_FRONT
  const window = new ByteReader(new WindowSource(reader.source, start, jpeg.offset + app1.end - start))
  const header = readTiffHeader(window)
  const numbers = header && new TiffNumbers(window, header.little)
  const ifd = header && numbers && readIfd(numbers, header.firstIfd, false)
  if (!numbers || !ifd) return nothing
  return { model: textOf(window, ifd, TAG.model), orientation: numberOf(numbers, ifd, TAG.orientation, 1) }
}

/** Marker, length and `Exif` in front of the directory, Exif 2.32 §4.5.4. */
const EXIF_FRONT = 10
const MOST_SEGMENT = 70_000

function textOf(reader: ByteReader, ifd: Ifd, tag: number): string {
  const entry = ifd.entries.get(tag)
  if (entry?.type !== TYPE.ascii) return ''
  return String.fromCharCode(...reader.bytes(entry.valueAt, Math.min(MODEL_BYTES, entry.bytes))).replace(
    /\0.*$/s,
    '',
  )
}
