import type { ByteReader } from '../../bytes/reader.ts'
import { readTiffHeader } from '../../syntax/tiff-ifd/header.ts'
import { numberOf, readIfd } from '../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../syntax/tiff-ifd/tags.ts'

/** One block of the header. */
export interface Block {
  /** `PRD`, `TTW`, `WBG`, `RIF`, `PAD`, without the zero in front. */
  readonly type: string
  /** Where its body begins, and how long that is. */
  readonly body: number
  readonly length: number
}

/** The sensor's data, as the block `PRD` tells it. */
export interface Sensor {
  /** Of the sensor's data, in pixels. */
  readonly rawWidth: number
  readonly rawHeight: number
  /** Of the photo. */
  readonly width: number
  readonly height: number
  /** 12 bits each without gaps, else 16. */
  readonly packed: boolean
}

/**
 * A Minolta raw file: blocks behind a signature, then the sensor's data without any coding. ExifTool's tag documentation,
 * `MinoltaRaw`.
 */
export interface Header {
  readonly blocks: readonly Block[]
  /** Blocks fill the header exactly. */
  readonly sound: boolean
  /** Where the header says that the sensor's data begins. */
  readonly data: number
  readonly sensor: Sensor | undefined
  readonly orientation: number
}

export const FRONT = 8
const BLOCK_FRONT = 8
const MAGIC = 0x004d_524d
const TYPES: ReadonlySet<string> = new Set(['PRD', 'TTW', 'WBG', 'RIF', 'PAD', 'CSA'])
const MOST_BLOCKS = 32
const PRD_BYTES = 24
const PACKED = 0x59

export function hasMagic(reader: ByteReader): boolean {
  return reader.u32(0) === MAGIC
}

/** The header at the start of the file; undefined where its signature is not. */
export function readHeader(reader: ByteReader): Header | undefined {
  return hasMagic(reader) ? headerOf(reader, FRONT + reader.u32(4)) : undefined
}

/** What blocks follow each other from the first one on, up to where the sensor's data is said to begin. */
function headerOf(reader: ByteReader, data: number): Header {
  const blocks = blocksFrom(reader, FRONT, data)
  const last = blocks.at(-1)
  const end = last ? last.body + last.length : FRONT
  return {
    blocks,
    sound: end === data && data <= reader.size,
    data,
    sensor: sensorOf(reader, blocks),
    orientation: orientationOf(reader, blocks),
  }
}

/** Blocks one behind the other from an offset on, none past `end`. */
export function blocksFrom(reader: ByteReader, start: number, end: number): readonly Block[] {
  const blocks: Block[] = []
  const limit = Math.min(end, reader.size)
  for (let at = start; at + BLOCK_FRONT <= limit && blocks.length < MOST_BLOCKS; ) {
    const type = typeAt(reader, at)
    const length = reader.u32(at + 4)
    if (!type || at + BLOCK_FRONT + length > limit) break
    blocks.push({ type, body: at + BLOCK_FRONT, length })
    at += BLOCK_FRONT + length
  }
  return blocks
}

/** The type of the block at an offset; undefined where none begins. */
export function typeAt(reader: ByteReader, at: number): string | undefined {
  const type = reader.u8(at) === 0 ? reader.fourcc(at).slice(1) : ''
  return TYPES.has(type) ? type : undefined
}

/** The sensor that a block `PRD` among these tells of. */
export function sensorOf(reader: ByteReader, blocks: readonly Block[]): Sensor | undefined {
  const prd = blocks.find(({ type }) => type === 'PRD')
  if (!prd || prd.length < PRD_BYTES) return undefined
  const number = (at: number): number => reader.u16(prd.body + at)
  const sensor = {
    rawHeight: number(8),
    rawWidth: number(10),
    height: number(12),
    width: number(14),
    packed: reader.u8(prd.body + 18) === PACKED,
  }
  return sensor.rawWidth > 0 && sensor.rawHeight > 0 && sensor.width > 0 && sensor.height > 0
    ? sensor
    : undefined
}

/** How a viewer turns the photo, as the directory in `TTW` says. */
export function orientationOf(reader: ByteReader, blocks: readonly Block[]): number {
  const ttw = blocks.find(({ type }) => type === 'TTW')
  const header = ttw && readTiffHeader(reader, ttw.body)
  if (!ttw || !header) return 1
  const numbers = new TiffNumbers(reader, header.little)
  const ifd = readIfd(numbers, ttw.body + header.firstIfd, false)
  return ifd ? numberOf(numbers, ifd, TAG.orientation, 1) : 1
}

/** Bytes of the sensor's data. */
export function dataBytes({ rawWidth, rawHeight, packed }: Sensor): number {
  return packed ? Math.ceil((rawWidth * rawHeight * 3) / 2) : rawWidth * rawHeight * 2
}
