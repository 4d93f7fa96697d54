import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import type { PictureReading } from '../../../codecs/picture-reading.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'
import { sequenceOf } from '../read/av1-record.ts'
import { Av1Symbols } from '../read/av1-symbols.ts'
import { HevcRecords, HevcSymbols } from '../read/hevc-symbols.ts'
import type { HeifMeta, Item } from '../read/meta.ts'
import { propertyOf } from '../read/picture.ts'

/** Records of a sample that pictures are read by: those of its tiles, maps and thumbnails. */
const MOST_RECORDS = 8

/** How pictures are coded, in words that are the same for those that are coded alike; undefined where nothing tells. */
export interface Codings {
  /** Of a picture of the sample. */
  ofItem(item: Item): string | undefined
  /** Of one that lies in the damaged file. */
  ofPlace(place: Region): string | undefined
  /** The body of the record that a picture of the sample is read by; undefined where pictures bring along how they are coded. */
  recordOf(item: Item): Uint8Array | undefined
  /** Whether pictures are read by what the sample says of them: one that cannot be may be coded in another way. */
  readonly bySample: boolean
  /** What reading one that lies there as a picture of the sample is coded shows. */
  read(place: Region, item: Item): PictureReading
}

/** How the pictures of a damaged file and of its sample, whose photo is of such a codec, are coded. */
export function codingsOf(
  damaged: ByteReader,
  sample: ByteReader,
  meta: HeifMeta,
  tiles: readonly Item[],
  codec: string,
): Codings {
  return codec === 'av01' ? new Av1Codings(damaged, sample) : new HevcCodings(damaged, sample, meta, tiles)
}

/** Pictures of AV1 tell themselves: their size, depth and profile. */
class Av1Codings implements Codings {
  readonly bySample = false
  readonly #damaged: ByteReader
  readonly #sample: ByteReader
  readonly #symbols: Av1Symbols

  constructor(damaged: ByteReader, sample: ByteReader) {
    this.#damaged = damaged
    this.#sample = sample
    this.#symbols = new Av1Symbols(damaged)
  }

  ofItem({ extents }: Item): string | undefined {
    return told(this.#sample, extents[0])
  }

  ofPlace(place: Region): string | undefined {
    return told(this.#damaged, place)
  }

  recordOf(): undefined {
    return undefined
  }

  read(place: Region): PictureReading {
    return this.#symbols.read(place)
  }
}

function told(reader: ByteReader, place: Region): string {
  const sequence = sequenceOf(reader, place)
  return sequence ? [sequence.width, sequence.height, ...sequence.config.subarray(0, 4)].join() : ''
}

/**
 * Those of HEVC are read symbol by symbol, by one record of the sample after another: they end where their bytes do by that which
 * has their size and depth. Records by which the same pictures are read are one coding.
 */
class HevcCodings implements Codings {
  readonly bySample = true
  readonly #meta: HeifMeta
  readonly #bodies: HevcRecords
  readonly #damaged: HevcSymbols
  readonly #sample: HevcSymbols
  /** One record for all that are the same bytes, and what it is called: after the first by which its own pictures are read. */
  readonly #records = new Map<string, Uint8Array>()
  readonly #names = new Map<Uint8Array, string | undefined>()
  readonly #same = new Map<Box, Uint8Array>()

  constructor(damaged: ByteReader, sample: ByteReader, meta: HeifMeta, tiles: readonly Item[]) {
    this.#meta = meta
    this.#bodies = new HevcRecords(sample)
    this.#damaged = new HevcSymbols(damaged)
    this.#sample = new HevcSymbols(sample)
    for (const item of [...tiles, ...meta.items.values()]) this.recordOf(item)
    for (const item of [...tiles, ...meta.items.values()]) {
      const [record, [place]] = [this.recordOf(item), item.extents]
      if (record && place && !item.inside && !this.#names.has(record))
        this.#names.set(record, this.#nameOf(this.#sample, place))
    }
  }

  ofItem(item: Item): string | undefined {
    const record = this.recordOf(item)
    return record && this.#names.get(record)
  }

  ofPlace(place: Region): string | undefined {
    return this.#nameOf(this.#damaged, place)
  }

  read(place: Region, item: Item): PictureReading {
    const record = this.recordOf(item)
    return record ? this.#damaged.read(place, record) : 'unread'
  }

  #nameOf(symbols: HevcSymbols, place: Region): string | undefined {
    for (const [name, record] of this.#records) if (symbols.read(place, record) === 'whole') return name
    return undefined
  }

  recordOf(item: Item): Uint8Array | undefined {
    const box = item.type === 'hvc1' ? propertyOf(this.#meta, item, 'hvcC') : undefined
    if (!box) return undefined
    const body = this.#same.get(box) ?? this.#bodies.of(box)
    const name = String.fromCharCode(...body)
    const record = this.#records.get(name) ?? body
    if (this.#records.size < MOST_RECORDS) this.#records.set(name, record)
    this.#same.set(box, record)
    return record
  }
}
