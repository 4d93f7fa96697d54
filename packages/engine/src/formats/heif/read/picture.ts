import type { ByteReader } from '../../../bytes/reader.ts'
import { parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import { sequenceOf } from './av1-record.ts'
import type { HeifMeta, Item } from './meta.ts'

/** A coded picture of its own: the photo, or one tile of it. */
export interface Tile {
  readonly item: Item
  /** What it covers of the photo, in pixels. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The photo that the file shows. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** Exif's number for how it is turned, from `irot` and `imir`; 1 where neither is. */
  readonly orientation: number
  readonly codec: string
  readonly tiles: readonly Tile[]
}

/** Exif's orientations of `irot`, quarter turns against the clock, without mirroring: ISO/IEC 23008-12:2022 §6.5.10. */
const TURNED = [1, 8, 3, 6]

/** The primary picture; undefined where its size or its parts are not told. */
export function pictureOf(reader: ByteReader, meta: HeifMeta): Picture | undefined {
  const item = meta.items.get(meta.primary)
  if (!item) return undefined
  const turn = propertyOf(meta, item, 'irot')
  const orientation = turn ? (TURNED[reader.u8(bodyOf(turn)) & 3] ?? 1) : 1
  if (item.type !== 'grid') {
    const size = sizeOf(reader, meta, item)
    return size && { ...size, orientation, codec: item.type, tiles: [{ item, x: 0, y: 0, ...size }] }
  }
  const grid = gridOf(reader, meta, item)
  const parts = meta.references.find(({ type, from }) => type === 'dimg' && from === item.id)?.to
  const tiles = (parts ?? []).flatMap((id) => meta.items.get(id) ?? [])
  const tileSize = tiles[0] && sizeOf(reader, meta, tiles[0])
  if (!grid || !tileSize || tiles.length === 0) return undefined
  return {
    width: grid.width,
    height: grid.height,
    orientation,
    codec: tiles[0].type,
    tiles: tiles.map((tile, i) => {
      const x = (i % grid.columns) * tileSize.width
      const y = Math.floor(i / grid.columns) * tileSize.height
      return {
        item: tile,
        x: Math.min(x, grid.width),
        y: Math.min(y, grid.height),
        width: Math.max(0, Math.min(tileSize.width, grid.width - x)),
        height: Math.max(0, Math.min(tileSize.height, grid.height - y)),
      }
    }),
  }
}

/** Quarter turns against the clock, as `irot` counts them, for an orientation of Exif's; none for those with mirroring. */
export function turnsOf(orientation: number): number {
  return Math.max(0, TURNED.indexOf(orientation))
}

/** How pictures of a coding are described, ISO/IEC 23008-12:2022 Annex B, AV1 Image File Format §2.2.1. */
const RECORDS: Readonly<Record<string, string>> = { hvc1: 'hvcC', av01: 'av1C' }

interface Told {
  readonly recorded: ReadonlySet<number>
  readonly sized: ReadonlySet<number>
}

const NOTHING_ELSE: Told = { recorded: new Set(), sized: new Set() }

/**
 * Whether structures tell of every part of a picture where it lies and how it is coded, and tell of as many as its rows and
 * columns need. `recorded`, `sized`: items of which something else tells how they are coded, and how large they are.
 */
export function isToldWhole(
  reader: ByteReader,
  meta: HeifMeta,
  { tiles }: Picture,
  { recorded, sized }: Told = NOTHING_ELSE,
): boolean {
  const main = meta.items.get(meta.primary)
  const grid = main?.type === 'grid' ? gridOf(reader, meta, main) : undefined
  if (grid && tiles.length !== grid.columns * grid.rows) return false
  return tiles.every(
    ({ item }) =>
      RECORDS[item.type] === undefined ||
      ((recorded.has(item.id) || hasRecord(meta, item)) &&
        (sized.has(item.id) || hasSize(meta, item)) &&
        item.extents.some(({ length }) => length > 0)),
  )
}

/** Whether a coded picture is told to have a size, whatever that is: decoders of AV1 do not do without. */
function hasSize({ properties }: HeifMeta, item: Item): boolean {
  return item.type !== 'av01' || item.properties.some((number) => properties[number - 1]?.type === 'ispe')
}

/** Whether the properties of a coded picture tell how it is coded. */
export function hasRecord(meta: HeifMeta, item: Item): boolean {
  return propertyOf(meta, item, RECORDS[item.type] ?? '') !== undefined
}

/** The first property of a type that an item has, of those that tell something. */
export function propertyOf(meta: HeifMeta, item: Item, type: string): Box | undefined {
  for (const number of item.properties) {
    const box = meta.properties[number - 1]
    if (box?.type === type && !meta.broken.has(box)) return box
  }
  return undefined
}

function sizeOf(
  reader: ByteReader,
  meta: HeifMeta,
  item: Item,
): { width: number; height: number } | undefined {
  const ispe = propertyOf(meta, item, 'ispe')
  if (!ispe) return codedSize(reader, meta, item)
  const width = reader.u32(bodyOf(ispe) + 4)
  const height = reader.u32(bodyOf(ispe) + 8)
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** The size that a picture's own parameters tell: early writers left out `ispe`, and decoders do without it. */
function codedSize(
  reader: ByteReader,
  meta: HeifMeta,
  item: Item,
): { width: number; height: number } | undefined {
  const [place] = item.extents
  if (item.type === 'av01') return place && !item.inside ? sequenceOf(reader, place) : undefined
  const record = propertyOf(meta, item, 'hvcC')
  const sps = record && parseHvcC(reader.bytes(bodyOf(record), record.end - bodyOf(record)))?.sps[0]
  return sps && { width: sps.width, height: sps.height }
}

/** The body of a grid, ISO/IEC 23008-12:2022 §6.6.2.3.2. */
export function gridOf(
  reader: ByteReader,
  meta: HeifMeta,
  item: Item,
): { columns: number; rows: number; width: number; height: number } | undefined {
  const [extent] = item.extents
  if (!extent) return undefined
  const at = item.inside ? (meta.idat ? bodyOf(meta.idat) + extent.offset : -1) : extent.offset
  if (at < 0) return undefined
  const wide = (reader.u8(at + 1) & 1) === 1
  const rows = reader.u8(at + 2) + 1
  const columns = reader.u8(at + 3) + 1
  const width = wide ? reader.u32(at + 4) : reader.u16(at + 4)
  const height = wide ? reader.u32(at + 8) : reader.u16(at + 6)
  return width > 0 && height > 0 ? { columns, rows, width, height } : undefined
}
