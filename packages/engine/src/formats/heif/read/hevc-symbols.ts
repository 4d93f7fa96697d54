import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import { PPS, SPS } from '../../../codecs/hevc/nal-types.ts'
import { HevcPictureReader } from '../../../codecs/hevc/picture-reader.ts'
import type { PictureReading } from '../../../codecs/picture-reading.ts'
import { Allowance } from '../../../model/allowance.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import { nalTypeAt } from './nal-items.ts'

/** Bytes of a picture that is read: more are not held at once. */
const MOST_BYTES = 1 << 24
/** Bytes of a record that is believed. */
const MOST_RECORD = 1 << 14
/** Steps of any file, and for each byte of this one: bytes of pictures, and what a coding tree block costs at most. */
const EFFORT = 1 << 25
const EFFORT_A_BYTE = 4
const BLOCK_COST = 64
/** Bytes of a NAL unit's length. */
const LENGTH = 4

interface Sets {
  readonly pictures: HevcPictureReader
  readonly blocks: number
}

/** Readings of a picture that was hit, or is read with the parameter sets of another one. */
export const HIT: ReadonlySet<PictureReading> = new Set(['torn', 'broken', 'spoiled'])

/** The bodies of `hvcC` boxes, each of which is one array. */
export class HevcRecords {
  readonly #reader: ByteReader
  readonly #bodies = new Map<Box, Uint8Array>()

  constructor(reader: ByteReader) {
    this.#reader = reader
  }

  of(record: Box): Uint8Array {
    const at = bodyOf(record)
    const body =
      this.#bodies.get(record) ??
      Uint8Array.from(this.#reader.bytes(at, Math.min(record.end - at, MOST_RECORD + 1)))
    this.#bodies.set(record, body)
    return body
  }
}

/**
 * Reads coded HEVC pictures symbol by symbol, as a decoder would, with the parameter sets of their records: bytes that were
 * hit show in that the symbols do not end where the bytes do, H.265 §9.3. Each place is read once, all together in proportion
 * to the file.
 */
export class HevcSymbols {
  readonly #reader: ByteReader
  readonly #allowance: Allowance
  readonly #sets = new Map<Uint8Array, Sets | undefined>()
  readonly #readings = new Map<Uint8Array, Map<string, PictureReading>>()

  constructor(reader: ByteReader) {
    this.#reader = reader
    this.#allowance = new Allowance(EFFORT + reader.size * EFFORT_A_BYTE)
  }

  /**
   * What reading the picture at a place by a record, the body of an `hvcC` box, shows; `unread` where its sets are not
   * understood, or where it would take too long. Records that are to be read once are one array.
   */
  read(place: Region, record: Uint8Array): PictureReading {
    const readings = this.#readings.get(record) ?? new Map<string, PictureReading>()
    this.#readings.set(record, readings)
    const key = `${place.offset} ${place.length}`
    const reading = readings.get(key) ?? this.#read(place, record)
    readings.set(key, reading)
    return reading
  }

  #read({ offset, length }: Region, record: Uint8Array): PictureReading {
    if (!this.#sets.has(record)) this.#sets.set(record, setsOf(record))
    const sets = this.#sets.get(record)
    if (!sets || length > MOST_BYTES || !this.#allowance.take(length + sets.blocks * BLOCK_COST))
      return 'unread'
    if (bringsSets(this.#reader, offset, length)) return 'unread'
    return sets.pictures.read(this.#reader.bytes(offset, length))
  }
}

function setsOf(record: Uint8Array): Sets | undefined {
  const config = record.length > MOST_RECORD ? undefined : parseHvcC(record)
  if (config?.lengthSize !== LENGTH || config.sps.length === 0) return undefined
  const blocks = Math.max(...config.sps.map(({ picSizeInCtbs }) => picSizeInCtbs))
  return { blocks, pictures: new HevcPictureReader(config) }
}

/** Whether a picture brings parameter sets of its own, by which it may be larger than its record says. */
function bringsSets(reader: ByteReader, offset: number, length: number): boolean {
  const end = Math.min(offset + length, reader.size)
  for (let at = offset; at + LENGTH + 2 <= end; at += LENGTH + reader.u32(at)) {
    const type = nalTypeAt(reader, at + LENGTH)
    if (type === SPS || type === PPS) return true
  }
  return false
}
