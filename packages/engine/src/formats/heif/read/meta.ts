import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { type Box, bodyOf, childOf, readChildren, versionOf } from '../../../syntax/iso-boxes/box.ts'
import { isSound } from './sound-properties.ts'

/** One item of a HEIF file, ISO/IEC 23008-12:2022 §6 and ISO/IEC 14496-12:2022 §8.11. */
export interface Item {
  readonly id: number
  /** `hvc1`, `av01`, `jpeg`: coded pictures; `grid`: one put together from others; `Exif`, `mime`: what is stored beside them. */
  readonly type: string
  /** Its bytes in the file, in order. */
  readonly extents: readonly Region[]
  /** Its bytes lie in the `idat` box, or in other items: not in the payload. */
  readonly inside: boolean
  /** Numbers of its properties, from 1, as `ipma` has them: the highest bit is cut off. */
  readonly properties: readonly number[]
  /** The `infe` box that describes it: with its name and, of text, its content type. */
  readonly entry: Box
}

export interface Reference {
  readonly type: string
  readonly from: number
  readonly to: readonly number[]
}

/** What the `meta` box says. */
export interface HeifMeta {
  /** Undefined where its own beginning is gone, and only what stands in it was found. */
  readonly box: Box | undefined
  readonly primary: number
  /** `pitm` says which item that is; without one, it is the only picture that belongs to no other. */
  readonly named: boolean
  readonly items: ReadonlyMap<number, Item>
  readonly references: readonly Reference[]
  /** The boxes in `ipco`, numbered from 1 in `Item.properties`. */
  readonly properties: readonly Box[]
  /** Those of them that hold what none of their types can: they tell nothing. */
  readonly broken: ReadonlySet<Box>
  readonly ipco: Box
  readonly idat: Box | undefined
  readonly handler: Box | undefined
}

/** Items of one file: a grid of 8-bit rows and columns has 65,536 tiles. */
const MOST_ITEMS = 70_000
const MOST_EXTENTS = 1_000

/** Reads a `meta` box; undefined where items, places or properties cannot be read. */
export function readMeta(reader: ByteReader, box: Box): HeifMeta | undefined {
  return metaOf(reader, readChildren(reader, bodyOf(box) + 4, box.end).boxes, box)
}

/** What the boxes within a `meta` box say; undefined where items, places or properties are not among them. */
export function metaOf(reader: ByteReader, boxes: readonly Box[], box?: Box): HeifMeta | undefined {
  const pitm = childOf(boxes, 'pitm')
  const iinf = childOf(boxes, 'iinf')
  const iloc = childOf(boxes, 'iloc')
  const iprp = childOf(boxes, 'iprp')
  if (!iinf || !iloc || !iprp) return undefined
  const inIprp = readChildren(reader, bodyOf(iprp), iprp.end).boxes
  const ipco = childOf(inIprp, 'ipco')
  if (!ipco) return undefined
  const properties = readChildren(reader, bodyOf(ipco), ipco.end).boxes
  const types = itemTypes(reader, iinf)
  const places = itemPlaces(reader, iloc)
  const associations = new Map<number, readonly number[]>()
  for (const ipma of inIprp.filter(({ type }) => type === 'ipma'))
    for (const [id, numbers] of itemProperties(reader, ipma)) associations.set(id, numbers)
  const items = new Map<number, Item>()
  for (const [id, { type, entry }] of types) {
    const place = places.get(id)
    items.set(id, {
      id,
      type,
      extents: place?.extents ?? [],
      inside: place?.inside ?? false,
      properties: associations.get(id) ?? [],
      entry,
    })
  }
  const iref = childOf(boxes, 'iref')
  const references = iref ? referencesOf(reader, iref) : []
  const primary = pitm ? numberIn(reader, pitm) : onlyPicture(items, references)
  if (primary === undefined) return undefined
  return {
    box,
    primary,
    named: pitm !== undefined,
    items,
    references,
    properties,
    broken: new Set(properties.filter((property) => !isSound(reader, property))),
    ipco,
    idat: childOf(boxes, 'idat'),
    handler: childOf(boxes, 'hdlr'),
  }
}

/** The number of an item in `pitm`, ISO/IEC 14496-12:2022 §8.11.4. */
function numberIn(reader: ByteReader, pitm: Box): number {
  const at = bodyOf(pitm) + 4
  return versionOf(reader, pitm) > 0 ? reader.u32(at) : reader.u16(at)
}

/** References from what belongs to a picture to that picture: ISO/IEC 23008-12:2022 §6.4.4, §6.4.5, Annex A. */
const BELONGS: ReadonlySet<string> = new Set(['thmb', 'auxl', 'cdsc'])

/**
 * The picture that is no part of another, and no thumbnail or the like of one; undefined where that holds of several, or of none,
 * or where it is another rendering of the one that is shown.
 */
function onlyPicture(items: ReadonlyMap<number, Item>, references: readonly Reference[]): number | undefined {
  const others = new Set(
    references.flatMap(({ type, from, to }) => (type === 'dimg' ? to : BELONGS.has(type) ? [from] : [])),
  )
  const alone = [...items.values()].filter(({ id, properties }) => properties.length > 0 && !others.has(id))
  return alone.length === 1 && alone[0].type !== 'tmap' ? alone[0].id : undefined
}

/** `iinf` and its `infe` boxes, ISO/IEC 14496-12:2022 §8.11.6. */
function itemTypes(reader: ByteReader, iinf: Box): Map<number, { type: string; entry: Box }> {
  const types = new Map<number, { type: string; entry: Box }>()
  const start = bodyOf(iinf) + 4 + (versionOf(reader, iinf) === 0 ? 2 : 4)
  for (const infe of readChildren(reader, start, iinf.end).boxes.slice(0, MOST_ITEMS)) {
    const version = versionOf(reader, infe)
    if (infe.type !== 'infe' || version < 2) continue
    const at = bodyOf(infe) + 4
    const id = version === 2 ? reader.u16(at) : reader.u32(at)
    types.set(id, { type: reader.fourcc(at + (version === 2 ? 4 : 6)), entry: infe })
  }
  return types
}

/** `iloc`, ISO/IEC 14496-12:2022 §8.11.3. */
function itemPlaces(reader: ByteReader, iloc: Box): Map<number, { extents: Region[]; inside: boolean }> {
  const places = new Map<number, { extents: Region[]; inside: boolean }>()
  const version = versionOf(reader, iloc)
  let at = bodyOf(iloc) + 4
  const sizes = reader.u16(at)
  const offsetSize = sizes >> 12
  const lengthSize = (sizes >> 8) & 15
  const baseSize = (sizes >> 4) & 15
  const indexSize = version === 1 || version === 2 ? sizes & 15 : 0
  at += 2
  const sized = (bytes: number): number => {
    const value =
      bytes === 0 ? 0 : bytes === 8 ? reader.u64(at) : bytes === 4 ? reader.u32(at) : reader.u16(at)
    at += bytes
    return value
  }
  const wide = version === 2
  const count = sized(wide ? 4 : 2)
  for (let i = 0; i < Math.min(count, MOST_ITEMS) && at < iloc.end; i++) {
    const id = sized(wide ? 4 : 2)
    const method = version === 0 ? 0 : sized(2) & 15
    sized(2)
    const base = sized(baseSize)
    const extents: Region[] = []
    const parts = sized(2)
    for (let part = 0; part < Math.min(parts, MOST_EXTENTS) && at < iloc.end; part++) {
      sized(indexSize)
      const offset = base + sized(offsetSize)
      extents.push({ offset, length: sized(lengthSize) })
    }
    places.set(id, { extents, inside: method !== 0 })
  }
  return places
}

/** `ipma`, ISO/IEC 23008-12:2022 §9.3.1. */
function itemProperties(reader: ByteReader, ipma: Box): Map<number, number[]> {
  const found = new Map<number, number[]>()
  const wideIds = versionOf(reader, ipma) > 0
  const wide = (reader.u24(bodyOf(ipma) + 1) & 1) === 1
  let at = bodyOf(ipma) + 4
  const count = reader.u32(at)
  at += 4
  for (let i = 0; i < Math.min(count, MOST_ITEMS) && at < ipma.end; i++) {
    const id = wideIds ? reader.u32(at) : reader.u16(at)
    at += wideIds ? 4 : 2
    const entries = reader.u8(at++)
    const numbers: number[] = []
    for (let entry = 0; entry < entries && at < ipma.end; entry++) {
      numbers.push(wide ? reader.u16(at) & 0x7fff : reader.u8(at) & 0x7f)
      at += wide ? 2 : 1
    }
    found.set(id, numbers)
  }
  return found
}

/** `iref`, ISO/IEC 14496-12:2022 §8.11.12. */
function referencesOf(reader: ByteReader, iref: Box): Reference[] {
  const wide = versionOf(reader, iref) > 0
  const size = wide ? 4 : 2
  const id = (at: number): number => (wide ? reader.u32(at) : reader.u16(at))
  return readChildren(reader, bodyOf(iref) + 4, iref.end).boxes.map((box) => {
    const at = bodyOf(box)
    const count = Math.min(reader.u16(at + size), Math.floor(Math.max(0, box.end - at - size - 2) / size))
    return {
      type: box.type,
      from: id(at),
      to: Array.from({ length: count }, (_, i) => id(at + size + 2 + i * size)),
    }
  })
}
