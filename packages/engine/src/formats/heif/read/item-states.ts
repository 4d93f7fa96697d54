import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import type { PictureReading } from '../../../codecs/picture-reading.ts'
import { Allowance } from '../../../model/allowance.ts'
import { Av1Symbols } from './av1-symbols.ts'
import { checkExifItem, checkTextItem } from './data-items.ts'
import { HevcRecords, HevcSymbols, HIT } from './hevc-symbols.ts'
import type { HeifMeta, Item } from './meta.ts'
import { checkHevcItem, type ItemState } from './nal-items.ts'
import { checkAv1Item } from './obu-items.ts'
import { propertyOf } from './picture.ts'

/** Whether an item of a type is a picture that is looked into. */
export function isCoded(type: string): boolean {
  return type === 'hvc1' || type === 'av01'
}

const CHECKS: Readonly<Record<string, (reader: ByteReader, offset: number, length: number) => ItemState>> = {
  hvc1: checkHevcItem,
  Exif: checkExifItem,
}

const CHECKED: ReadonlySet<string> = new Set([...Object.keys(CHECKS), 'av01', 'mime'])

/** What reading a picture symbol by symbol makes of it; where it cannot be read so, it is what its units look like. */
const BY_SYMBOLS: Readonly<Record<PictureReading, ItemState | undefined>> = {
  whole: 'whole',
  torn: 'broken',
  broken: 'broken',
  spoiled: 'broken',
  unread: undefined,
}

/**
 * Bytes of items that are looked through, for each byte of the file and in any: what many items share is looked through for each.
 */
const READ_A_BYTE = 16
const READ = 1 << 20

/** Holds the items of a file against its bytes. */
export class ItemStates {
  readonly #reader: ByteReader
  readonly #meta: HeifMeta
  readonly #symbols: HevcSymbols
  readonly #records: HevcRecords
  readonly #av1: Av1Symbols
  readonly #allowance: Allowance

  constructor(reader: ByteReader, meta: HeifMeta) {
    this.#reader = reader
    this.#meta = meta
    this.#symbols = new HevcSymbols(reader)
    this.#records = new HevcRecords(reader)
    this.#av1 = new Av1Symbols(reader)
    this.#allowance = new Allowance(READ + READ_A_BYTE * reader.size)
  }

  /**
   * Whether an item's bytes are there and are what it is told to be, as far as its type tells; broken where items share too many.
   */
  of(item: Item): ItemState {
    const { type, inside, extents, entry } = item
    if (inside) return 'whole'
    // a coded picture must lie somewhere; what is put together from others need not
    if (extents.length === 0) return isCoded(type) ? 'cut' : 'whole'
    if (extents.some(({ offset, length }) => offset + length > this.#reader.size)) return 'cut'
    const [extent] = extents
    if (CHECKED.has(type) && !this.#allowance.take(extent.length)) return 'broken'
    if (type === 'av01') return this.#ofAv1(extents)
    // pictures of other codecs, and those in several parts, are known by their place alone
    if (extents.length > 1) return 'whole'
    if (type === 'mime') return checkTextItem(this.#reader, extent, entry)
    const record = type === 'hvc1' ? propertyOf(this.#meta, item, 'hvcC') : undefined
    const reading = record ? BY_SYMBOLS[this.#symbols.read(extent, this.#records.of(record))] : undefined
    return reading ?? CHECKS[type]?.(this.#reader, extent.offset, extent.length) ?? 'whole'
  }

  /** One whose OBUs lie where they should, but whose symbols do not end with them, was hit among its pixels. */
  #ofAv1(places: readonly Region[]): ItemState {
    const [{ offset, length }] = places
    const state = places.length > 1 ? 'whole' : checkAv1Item(this.#reader, offset, length)
    return state === 'whole' && HIT.has(this.#av1.read(...places)) ? 'hollow' : state
  }
}
