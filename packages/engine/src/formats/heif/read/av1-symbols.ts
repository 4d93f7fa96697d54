import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { readAv1Picture } from '../../../codecs/av1/picture-reader.ts'
import type { PictureReading } from '../../../codecs/picture-reading.ts'
import { Allowance } from '../../../model/allowance.ts'
import { sequenceOf } from './av1-record.ts'

/** Bytes of a picture that is read: more are not held at once. */
const MOST_BYTES = 1 << 24
/** Steps of any file, and for each byte of this one: bytes of pictures, and what a superblock costs at least. */
const EFFORT = 1 << 25
const EFFORT_A_BYTE = 4
const SUPERBLOCK = 64
const SUPERBLOCK_COST = 64

/**
 * Reads coded AV1 pictures symbol by symbol, as a decoder would: bytes that were hit show in that the symbols of a tile do not end where its
 * bytes do, AV1 specification §8.2.4. Each place is read once, all together in proportion to the file.
 */
export class Av1Symbols {
  readonly #reader: ByteReader
  readonly #allowance: Allowance
  readonly #readings = new Map<string, PictureReading>()

  constructor(reader: ByteReader) {
    this.#reader = reader
    this.#allowance = new Allowance(EFFORT + reader.size * EFFORT_A_BYTE)
  }

  /** What reading the picture at a place shows; `unread` where it depends on others, or where it would take too long. */
  read(place: Region): PictureReading {
    const key = `${place.offset} ${place.length}`
    const reading = this.#readings.get(key) ?? this.#read(place)
    this.#readings.set(key, reading)
    return reading
  }

  #read(place: Region): PictureReading {
    const { offset, length } = place
    const sequence = length > MOST_BYTES ? undefined : sequenceOf(this.#reader, place)
    if (!sequence) return 'unread'
    const superblocks = Math.ceil(sequence.width / SUPERBLOCK) * Math.ceil(sequence.height / SUPERBLOCK)
    if (!this.#allowance.take(length + superblocks * SUPERBLOCK_COST)) return 'unread'
    return readAv1Picture(this.#reader.bytes(offset, length))
  }
}
