import type { ByteReader } from '../../../bytes/reader.ts'
import { parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import { type Box, bodyOf, boxBytes } from '../../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { channelsOf, sequenceOf } from '../read/av1-record.ts'
import { exifTurn } from '../read/data-items.ts'
import { hevcChannelsOf } from '../read/hevc-record.ts'
import { knownRecord } from '../read/known-records.ts'
import { lackingProperties } from '../read/lacking-properties.ts'
import type { Size } from '../read/loose-properties.ts'
import type { HeifMeta, Item } from '../read/meta.ts'
import { sliceStart } from '../read/nal-items.ts'
import { gridOf, pictureOf, propertyOf, turnsOf } from '../read/picture.ts'
import type { PropertyBoxes } from '../write/write-heif.ts'

/** Items with properties in place of those that told nothing any more, as far as anything else tells what they were. */
export interface WholeProperties {
  /** The items that had such a one. */
  readonly items: ReadonlyMap<number, Item>
  /** Those of them that have a record of how they are coded in its place. */
  readonly recorded: ReadonlySet<number>
  /** The items that had no size and have one now. */
  readonly sized: ReadonlySet<number>
  /** Such a record is a sample's, or what one maker's are like: nothing shows that all of it is the photo's. */
  readonly lentCoding: boolean
  readonly ipco: PropertyBoxes
  /** How Exif data say that the photo is turned, where its own property told nothing any more. */
  readonly orientation: number | undefined
  /** Types of properties that nothing takes the place of. */
  readonly lost: ReadonlySet<string>
}

/** A file whose pictures may be coded as those of the damaged one are: that one itself, or a sample. */
export interface Lender {
  readonly reader: ByteReader
  readonly meta: HeifMeta
}

/** Most bytes of one property that is taken over. */
const MOST_PROPERTY = 1 << 24
/** Most bytes of one record that is lent, and records of pictures that begin alike. */
const [MOST_RECORD, MOST_KINDS] = [1 << 16, 16]
/** The type of boxes that hold nothing, ISO/IEC 14496-12:2022 §8.1.2. */
const FREE = 'free'

/**
 * Properties of a file some of which are not there or hold what none can: sizes by how pictures are coded, records by other
 * pictures of the same size that begin alike, or by the picture itself. Undefined where all are there and tell something.
 */
export function wholeProperties(own: Lender, sample: Lender | undefined): WholeProperties | undefined {
  const { reader, meta } = own
  const picture = pictureOf(reader, meta)
  const lacking = picture ? lackingProperties(meta, picture) : []
  if (meta.broken.size + lacking.length === 0) return undefined
  const added = new Map<
    string,
    { readonly number: number; readonly type: string; readonly box: Uint8Array }
  >()
  const add = (type: string, body: Uint8Array): number => {
    const key = `${type} ${body.join()}`
    const next = { number: meta.properties.length + added.size + 1, type, box: boxOf(type, body) }
    const each = added.get(key) ?? next
    added.set(key, each)
    return each.number
  }
  const coded = new Coded(own, sample)
  const orientation = coded.turn()
  const items = new Map<number, Item>()
  const [recorded, sized] = [new Set<number>(), new Set<number>()]
  const lost = new Set<string>()
  let lentCoding = false
  for (const item of meta.items.values()) {
    const properties = item.properties.flatMap((number) => {
      const box = meta.properties[number - 1]
      if (!box || !meta.broken.has(box)) return [number]
      const body = coded.bodyOf(box.type, item)
      if (!body) {
        lost.add(box.type)
        return []
      }
      if (box.type === 'hvcC' || box.type === 'av1C') recorded.add(item.id)
      if (box.type === 'hvcC') lentCoding ||= !coded.isOwn(body, item)
      return [add(box.type, body)]
    })
    // a picture's size stands before what turns it
    for (const { type } of lacking.filter((each) => each.item === item).toReversed()) {
      const body = coded.bodyOf(type, item)
      if (!body) continue
      ;(type === 'ispe' ? sized : recorded).add(item.id)
      properties.unshift(add(type, body))
    }
    if (properties.join() !== item.properties.join()) items.set(item.id, { ...item, properties })
  }
  const writer = new BoxWriter()
  writer.box('ipco', () => {
    // numbers stay what they are: something stands in the place of each
    for (const box of meta.properties)
      writer.raw(meta.broken.has(box) ? boxOf(FREE, new Uint8Array(0)) : boxBytes(reader, box, MOST_PROPERTY))
    for (const { box } of added.values()) writer.raw(box)
  })
  const types = meta.properties.map((box) => (meta.broken.has(box) ? FREE : box.type))
  return {
    items,
    recorded,
    sized,
    lentCoding,
    ipco: { box: writer.bytes().slice(), types: [...types, ...[...added.values()].map(({ type }) => type)] },
    orientation,
    lost,
  }
}

/** What tells how pictures are coded, beside their own properties. */
class Coded {
  readonly #own: Lender
  /** Records of other pictures, each once, by how these begin. */
  readonly #lent = new Map<string, Set<Uint8Array>>()
  /** Those of the file itself. */
  readonly #ownRecords: ReadonlySet<Uint8Array>

  /** The photo's tiles, and how a sample's are coded. */
  readonly #tiles: ReadonlySet<number>
  readonly #ofTiles: Uint8Array | undefined

  constructor(own: Lender, sample: Lender | undefined) {
    this.#own = own
    this.#takeRecords(own)
    this.#ownRecords = new Set([...this.#lent.values()].flatMap((records) => [...records]))
    if (sample) this.#takeRecords(sample)
    this.#tiles = new Set(tilesOf(own).map(({ id }) => id))
    const [tile] = sample ? tilesOf(sample) : []
    const box = sample && tile?.type === 'hvc1' ? propertyOf(sample.meta, tile, 'hvcC') : undefined
    this.#ofTiles = sample && box && bodyBytes(sample.reader, box)
  }

  #takeRecords({ reader, meta }: Lender): void {
    const configs = new Map<Box, Uint8Array>()
    for (const item of meta.items.values()) {
      const box =
        item.type === 'hvc1' && item.extents.length === 1 ? propertyOf(meta, item, 'hvcC') : undefined
      if (!box || box.size > MOST_RECORD) continue
      const kind = sliceStart(reader, item.extents[0])
      const config = configs.get(box) ?? bodyBytes(reader, box)
      configs.set(box, config)
      if (kind !== undefined) this.#lent.set(kind, (this.#lent.get(kind) ?? new Set()).add(config))
    }
  }

  /** Whether the body of a record of how an item is coded is one of the file's own. */
  isOwn(record: Uint8Array, item: Item): boolean {
    return propertyOf(this.#own.meta, item, 'hvcC') !== undefined || this.#ownRecords.has(record)
  }

  /** The body of a property that an item had; undefined where nothing tells it. */
  bodyOf(type: string, item: Item): Uint8Array | undefined {
    if (type === 'hvcC' || type === 'av1C') return this.#record(item)
    if (type === 'ispe') return this.#size(item)
    if (type === 'pixi') return this.#depths(item)
    const turn = type === 'irot' ? this.turn() : undefined
    return turn === undefined ? undefined : Uint8Array.of(turnsOf(turn))
  }

  /** How Exif data say that the photo is turned, where a property that did tells nothing any more. */
  turn(): number | undefined {
    const { reader, meta } = this.#own
    if (![...meta.broken].some(({ type }) => type === 'irot')) return undefined
    for (const { type, inside, extents } of meta.items.values()) {
      const turn =
        type === 'Exif' && !inside && extents.length === 1 ? exifTurn(reader, extents[0]) : undefined
      if (turn !== undefined) return turn
    }
    return undefined
  }

  /** Its own record, or the one that was its own. */
  #record(item: Item): Uint8Array | undefined {
    const { reader, meta } = this.#own
    const box = propertyOf(meta, item, item.type === 'av01' ? 'av1C' : 'hvcC')
    if (box) return bodyBytes(reader, box)
    const [place] = item.extents
    if (item.inside || item.extents.length !== 1) return undefined
    if (item.type === 'av01') return sequenceOf(reader, place)?.config
    const kind = sliceStart(reader, place)
    if (item.type !== 'hvc1' || kind === undefined) return undefined
    const told = toldSize(reader, meta, item)
    const lent = [...(this.#lent.get(kind) ?? [])].slice(0, MOST_KINDS)
    const ofTiles = this.#tiles.has(item.id) && told ? this.#ofTiles : undefined
    return [...lent, knownRecord(kind)?.config, ofTiles].find((config) => {
      const size = config && sizeOf(config)
      return told ? size?.width === told.width && size.height === told.height : size && lent.length === 1
    })
  }

  #size(item: Item): Uint8Array | undefined {
    const { reader, meta } = this.#own
    const record = item.type === 'hvc1' ? this.#record(item) : undefined
    const size =
      item.type === 'grid'
        ? gridOf(reader, meta, item)
        : item.type === 'av01'
          ? sequenceOf(reader, item.extents[0])
          : record && sizeOf(record)
    if (!size) return undefined
    const body = new DataView(new ArrayBuffer(12))
    body.setUint32(4, size.width)
    body.setUint32(8, size.height)
    return new Uint8Array(body.buffer)
  }

  #depths(item: Item): Uint8Array | undefined {
    const { meta } = this.#own
    const parts = meta.references.find(({ type, from }) => type === 'dimg' && from === item.id)?.to
    const coded = item.type === 'grid' ? meta.items.get(parts?.[0] ?? -1) : item
    const record = coded && this.#record(coded)
    if (!record) return undefined
    const { depth, channels } = coded.type === 'av01' ? channelsOf(record) : hevcChannelsOf(record)
    return Uint8Array.of(0, 0, 0, 0, channels, ...Array.from({ length: channels }, () => depth))
  }
}

function tilesOf({ reader, meta }: Lender): readonly Item[] {
  return pictureOf(reader, meta)?.tiles.map(({ item }) => item) ?? []
}

/** A property's body, without the header of its box. */
function bodyBytes(reader: ByteReader, box: Box): Uint8Array {
  return box.size > MOST_RECORD
    ? new Uint8Array(0)
    : Uint8Array.from(reader.bytes(bodyOf(box), box.end - bodyOf(box)))
}

function toldSize(reader: ByteReader, meta: HeifMeta, item: Item): Size | undefined {
  const box = propertyOf(meta, item, 'ispe')
  return box && { width: reader.u32(bodyOf(box) + 4), height: reader.u32(bodyOf(box) + 8) }
}

function sizeOf(config: Uint8Array): Size | undefined {
  const sps = parseHvcC(config)?.sps[0]
  return sps && { width: sps.width, height: sps.height }
}

function boxOf(type: string, body: Uint8Array): Uint8Array {
  const writer = new BoxWriter()
  writer.box(type, () => writer.raw(body))
  return writer.bytes().slice()
}
