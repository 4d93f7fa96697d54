import type { ByteReader } from '../../../bytes/reader.ts'
import type { PictureReading } from '../../../codecs/picture-reading.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { bodyOf } from '../../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import type { RepairJob } from '../../format.ts'
import { assess } from '../assess.ts'
import { HIT } from '../read/hevc-symbols.ts'
import { looseProperties } from '../read/loose-properties.ts'
import type { HeifMeta, Item } from '../read/meta.ts'
import { type ItemState, sliceStart } from '../read/nal-items.ts'
import type { Picture } from '../read/picture.ts'
import type { PlacedItem } from '../write/write-heif.ts'
import { alignItems, type Slot } from './align-items.ts'
import { type Codings, codingsOf } from './codings.ts'
import { findAv1Pictures } from './find-av1-pictures.ts'
import { type FoundPicture, findPictures } from './find-pictures.ts'
import type { FromSample } from './found-photo.ts'

/** How pictures of a coding are found in the bytes. */
const FINDERS: Readonly<
  Record<string, (reader: ByteReader, monitor: Monitor) => Promise<readonly FoundPicture[]>>
> = { hvc1: findPictures, av01: findAv1Pictures }

/** Lays the pictures that are found in the damaged file in the places that a sample's have. */
export async function fromSample(job: RepairJob): Promise<FromSample | undefined> {
  if (!job.sample) return undefined
  const { reader } = job.sample
  const sample = await assess(reader, job.limits, job.monitor)
  const { meta, picture, fileType } = sample
  const find = picture && FINDERS[picture.codec]
  if (!meta || !find || !fileType || !sample.healthy) return undefined
  const kind = kindOfTiles(reader, picture)
  const parts = picture.tiles.map(({ item }) => item)
  const codings = codingsOf(job.damaged.reader, reader, meta, parts, picture.codec)
  const places = await find(job.damaged.reader, job.monitor)
  const found = await withCodings(withKinds(job.damaged.reader, places, kind), codings, job.monitor)
  const { slots, of } = slotsOf(reader, [...meta.items.values()], picture, kind !== undefined, codings)
  const [coding, ...others] = new Set(parts.map((item) => codings.ofItem(item)))
  const asTiles = others.length === 0 ? coding : undefined
  const aligned = alignItems(found, slots, job.damaged.reader.size, reader.size, asTiles)
  if (!aligned) return undefined
  const placeOf = ({ id }: Item): FoundPicture | undefined => {
    const slot = of.get(id)
    return slot === undefined ? undefined : aligned.pictures[slot]
  }
  const tiles = new Set(parts)
  const placed = [...tiles].flatMap((item) => placeOf(item) ?? [])
  const [smallest] = placed.filter(({ whole }) => whole).sort((a, b) => a.length - b.length)
  if (!smallest) return undefined
  const readings = readingsOf(codings, tiles, placeOf)
  if (codings.bySample && isForeign([...readings.values()])) return undefined
  const states = new Map<number, ItemState>()
  const items: PlacedItem[] = []
  for (const item of tiles) {
    const there = placeOf(item)
    const torn = !there?.whole || HIT.has(readings.get(item) ?? 'unread')
    states.set(item.id, there ? (torn ? 'broken' : 'whole') : 'cut')
    // a tile that is gone must be some picture: the plainest of those that are there
    items.push({ item, places: [there ?? smallest] })
  }
  items.push(...besideOf(meta, tiles, placeOf))
  const { derived, idat } = derivedFrom(reader, meta, new Set(items.map(({ item }) => item.id)))
  items.push(...derived)
  return {
    sample,
    structures: { reader, meta, fileType: Uint8Array.from(reader.bytes(0, fileType.end)), idat },
    items,
    states,
    guessed: aligned.guessed,
    lentCoding: isLent(job.damaged.reader, codings, parts),
  }
}

/** Whether pictures are read by records of the sample that are not left in the damaged file as well. */
function isLent(damaged: ByteReader, codings: Codings, parts: readonly Item[]): boolean {
  const records = new Set(parts.flatMap((item) => codings.recordOf(item) ?? []))
  if (records.size === 0) return false
  const own = new Set(looseProperties(damaged).records.map(({ config }) => config.join()))
  return [...records].some((record) => !own.has(record.join()))
}

/** What reading the tiles that were found, as the sample's are coded, shows. */
function readingsOf(
  codings: Codings,
  tiles: ReadonlySet<Item>,
  placeOf: (item: Item) => FoundPicture | undefined,
): ReadonlyMap<Item, PictureReading> {
  const readings = new Map<Item, PictureReading>()
  for (const item of tiles) {
    const place = placeOf(item)
    if (place) readings.set(item, codings.read(place, item))
  }
  return readings
}

/** Whether several tiles were read as the sample's are coded, and none is: they are coded in another way. */
function isForeign(readings: readonly PictureReading[]): boolean {
  return readings.length > 1 && readings.every((reading) => HIT.has(reading))
}

/** How the first slices of a sample's tiles begin, where all of them do so. */
function kindOfTiles(reader: ByteReader, { codec, tiles }: Picture): string | undefined {
  if (codec !== 'hvc1') return undefined
  const [first, ...others] = tiles.map(({ item }) => item.extents[0] && sliceStart(reader, item.extents[0]))
  return others.every((kind) => kind === first) ? first : undefined
}

/** Pictures with the kinds they are of, where most are of the one that a sample's tiles are. */
function withKinds(
  reader: ByteReader,
  places: readonly FoundPicture[],
  tiles: string | undefined,
): readonly FoundPicture[] {
  if (tiles === undefined) return places
  const kinds = places.map((place) => sliceStart(reader, place))
  if (kinds.filter((kind) => kind === tiles).length * 2 <= kinds.length) return places
  return places.map((place, i) => (kinds[i] === undefined ? place : { ...place, kind: kinds[i] }))
}

/** Pictures beside the tiles that are there as well: transparency, depth, thumbnails. */
function besideOf(
  { items }: HeifMeta,
  tiles: ReadonlySet<Item>,
  placeOf: (item: Item) => FoundPicture | undefined,
): readonly PlacedItem[] {
  return [...items.values()].flatMap((item) => {
    const place = tiles.has(item) ? undefined : placeOf(item)
    return place?.whole ? [{ item, places: [place] }] : []
  })
}

/**
 * Items that say how others are put together, ISO/IEC 23008-12:2022 §6.6.2; nothing in them tells of a sample's place or time.
 */
const DERIVED: ReadonlySet<string> = new Set(['grid', 'iovl', 'iden', 'tmap'])
/** Most bytes of one of them: a canvas laid over with as many pictures as a grid has. */
const MOST_DERIVED = 1024 * 1024

/** A sample's items that put those together which are all there, and an `idat` box with nothing but what they say. */
function derivedFrom(
  reader: ByteReader,
  { items, references, idat }: HeifMeta,
  there: ReadonlySet<number>,
): { readonly derived: readonly PlacedItem[]; readonly idat: Uint8Array } {
  const writer = new BoxWriter()
  const derived: PlacedItem[] = []
  const known = new Set(there)
  let at = 0
  writer.box('idat', () => {
    for (const item of items.values()) {
      const parts = references.find(({ type, from }) => type === 'dimg' && from === item.id)?.to
      if (!DERIVED.has(item.type) || !parts?.every((id) => known.has(id))) continue
      const from = item.inside && idat ? bodyOf(idat) : 0
      const length = item.extents.reduce((sum, extent) => sum + extent.length, 0)
      if (at + length > MOST_DERIVED) continue
      for (const extent of item.extents) writer.raw(reader.bytes(from + extent.offset, extent.length))
      derived.push({ item: { ...item, inside: true, extents: [{ offset: at, length }] }, places: [] })
      known.add(item.id)
      at += length
    }
  })
  return { derived, idat: writer.bytes().slice() }
}

/** Pictures with how they are coded, where that is told. */
async function withCodings(
  places: readonly FoundPicture[],
  codings: Codings,
  monitor: Monitor,
): Promise<readonly FoundPicture[]> {
  const found: FoundPicture[] = []
  for (const place of places) {
    const coding = codings.ofPlace(place)
    found.push(coding === undefined ? place : { ...place, coding })
    await monitor.pause()
  }
  return found
}

/**
 * What a file's items are in the order of their bytes, and which slot each picture has. What is no picture and lies side by side
 * is one.
 */
function slotsOf(
  reader: ByteReader,
  items: readonly Item[],
  sample: Picture,
  kinds: boolean,
  codings: Codings,
): { readonly slots: readonly Slot[]; readonly of: ReadonlyMap<number, number> } {
  const stored = items
    .filter(({ inside, extents }) => !inside && extents.length > 0)
    .sort((a, b) => a.extents[0].offset - b.extents[0].offset)
  const slots: Slot[] = []
  const of = new Map<number, number>()
  const places = new Map<string, number>()
  for (const item of stored) {
    const { id, type, extents } = item
    const picture = type === sample.codec && extents.length === 1
    const length = extents.reduce((sum, extent) => sum + extent.length, 0)
    const last = slots.at(-1)
    // items that are the same bytes have the same place
    const place = `${extents[0].offset} ${length}`
    const same = picture ? places.get(place) : undefined
    if (picture) of.set(id, same ?? slots.length)
    if (same !== undefined) continue
    if (picture) places.set(place, slots.length)
    if (!picture && last && !last.picture) slots[slots.length - 1] = { picture, length: last.length + length }
    else if (picture) {
      const kind = kinds ? sliceStart(reader, extents[0]) : undefined
      const coding = codings.ofItem(item)
      const told = { ...(kind === undefined ? {} : { kind }), ...(coding === undefined ? {} : { coding }) }
      slots.push({ picture, length, ...told })
    } else slots.push({ picture, length })
  }
  return { slots, of }
}
