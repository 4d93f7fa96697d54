import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { readAv1Picture } from '../../../codecs/av1/picture-reader.ts'
import type { PictureReading } from '../../../codecs/picture-reading.ts'
import { Allowance } from '../../../model/allowance.ts'
import { sequenceOf } from './av1-record.ts'

/** Bytes of a picture that is read: more are not held at once. */
const MOST_BYTES = 1 << 24
/** Steps of any file, and for each byte of this one. */
const EFFORT = 1 << 25
const EFFORT_A_BYTE = 4

/**
 * Reads coded AV1 pictures symbol by symbol, as a decoder would: bytes that were hit show in that the symbols of a tile do
 * not end where its bytes do, AV1 specification §8.2.4. Each place is read once, all together in proportion to the file.
 */
export class Av1Symbols {
  readonly #reader: ByteReader
  readonly #allowance: Allowance
  readonly #readings = new Map<string, PictureReading>()

  constructor(reader: ByteReader) {
    this.#reader = reader
    this.#allowance = new Allowance(EFFORT + reader.size * EFFORT_A_BYTE)
  }

  /**
   * What reading the picture that lies at a place shows, or in several parts; `unread` where it depends on others, or where it
   * would take too long.
   */
  read(...places: readonly Region[]): PictureReading {
    const key = places.map(({ offset, length }) => `${offset} ${length}`).join()
    const reading = this.#readings.get(key) ?? this.#read(places)
    this.#readings.set(key, reading)
    return reading
  }

  #read(places: readonly Region[]): PictureReading {
    const length = places.reduce((sum, place) => sum + place.length, 0)
    if (length > MOST_BYTES || !sequenceOf(this.#reader, places[0])) return 'unread'
    const [place, ...others] = places
    if (others.length === 0) return this.#picture(this.#reader.bytes(place.offset, place.length))
    const picture = new Uint8Array(length)
    let at = 0
    for (const part of places) {
      picture.set(this.#reader.bytes(part.offset, part.length), at)
      at += part.length
    }
    return this.#picture(picture)
  }

  #picture(bytes: Uint8Array): PictureReading {
    return readAv1Picture(bytes, this.#allowance)
  }
}
