import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { type HevcConfig, parseHvcC } from '../../../codecs/hevc/hvcc.ts'
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
  readonly config: HevcConfig
  readonly pictures: HevcPictureReader
  readonly blocks: number
}

/**
 * Reads coded HEVC pictures symbol by symbol, as a decoder would, with the parameter sets of their records: bytes that were hit show in
 * that the symbols do not end where the bytes do, H.265 §9.3. Each place is read once, all together in proportion to the file.
 */
export class HevcSymbols {
  readonly #reader: ByteReader
  readonly #records: ByteReader
  readonly #allowance: Allowance
  readonly #sets = new Map<Box, Sets | undefined>()
  readonly #readings = new Map<string, PictureReading>()

  /** `records`: the file whose records they are read with, a sample where those of the file itself are gone. */
  constructor(reader: ByteReader, records = reader) {
    this.#reader = reader
    this.#records = records
    this.#allowance = new Allowance(EFFORT + reader.size * EFFORT_A_BYTE)
  }

  /** What reading the picture at a place shows; `unread` where its sets are not understood, or where it would take too long. */
  read(place: Region, record: Box): PictureReading {
    const key = `${place.offset} ${place.length} ${record.offset}`
    const known = this.#readings.get(key)
    if (known !== undefined) return known
    const reading = this.#read(place, record)
    this.#readings.set(key, reading)
    return reading
  }

  #read({ offset, length }: Region, record: Box): PictureReading {
    const sets = this.#setsOf(record)
    if (!sets || length > MOST_BYTES || bringsSets(this.#reader, offset, length)) return 'unread'
    if (!this.#allowance.take(length + sets.blocks * BLOCK_COST)) return 'unread'
    return sets.pictures.read(this.#reader.bytes(offset, length))
  }

  #setsOf(record: Box): Sets | undefined {
    if (!this.#sets.has(record)) this.#sets.set(record, setsOf(this.#records, record))
    return this.#sets.get(record)
  }
}

function setsOf(reader: ByteReader, record: Box): Sets | undefined {
  const at = bodyOf(record)
  if (record.end - at > MOST_RECORD) return undefined
  const config = parseHvcC(Uint8Array.from(reader.bytes(at, record.end - at)))
  if (config?.lengthSize !== LENGTH || config.sps.length === 0) return undefined
  const blocks = Math.max(...config.sps.map(({ picSizeInCtbs }) => picSizeInCtbs))
  return { config, blocks, pictures: new HevcPictureReader(config) }
}

/** Whether a picture brings parameter sets of its own, by which it may be larger than its record says. */
function bringsSets(reader: ByteReader, offset: number, length: number): boolean {
  for (let at = offset; at + LENGTH + 2 <= offset + length; at += LENGTH + reader.u32(at)) {
    const type = nalTypeAt(reader, at + LENGTH)
    if (type === SPS || type === PPS) return true
  }
  return false
}
