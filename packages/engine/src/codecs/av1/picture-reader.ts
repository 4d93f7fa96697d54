import type { Allowance } from '../../model/allowance.ts'
import { readLeb128 } from '../leb128.ts'
import type { PictureReading } from '../picture-reading.ts'
import { type IntraFrame, readIntraFrame } from './headers/intra-frame.ts'
import { parseSequenceHeader, type SequenceHeader } from './headers/sequence-header.ts'
import { SymbolDecoder } from './symbols/symbol-decoder.ts'
import { FRAME, FRAME_HEADER, SEQUENCE_HEADER, TILE_GROUP } from './temporal-unit.ts'
import type { TilePlace } from './tile-data/tile-place.ts'
import { TileReader } from './tile-data/tile-reader.ts'

const HAS_EXTENSION = 0x04
const HAS_SIZE = 0x02
/** OBUs of a picture: layers and groups of tiles. */
const MOST_OBUS = 4_096
/** Samples of a picture that is read. */
const MOST_SAMPLES = 2 ** 28

/** A tile whose symbols do not end where its bytes do: those from `from` up to `end`. */
export interface TornTile {
  readonly payload: Uint8Array
  readonly from: number
  readonly end: number
  readonly place: TilePlace
  readonly frame: IntraFrame
}

/** Mends a torn tile in its place, where it can. */
export type TileMender = (tile: TornTile) => boolean

interface Obu {
  readonly type: number
  readonly payload: Uint8Array
}

/** A superblock's samples along a side, and what one costs at least, in steps: bytes of pictures. */
const SUPERBLOCK = 64
const SUPERBLOCK_COST = 64

/**
 * What reading the frames of a picture that depend on no other ones shows, OBU by OBU in the low-overhead format
 * (AV1 specification (2019-01-08) §5.2): `torn` where the symbols of a tile do not end where its bytes do, `unread` where that is
 * told of none, and there are frames that depend on others, or that `allowance` does not last for. Time in proportion to the
 * bytes and to the samples.
 * @param known the sequence header in force, where the picture need not bring its own
 * @param mend asked of each torn tile before the picture counts as torn
 */
export function readAv1Picture(
  picture: Uint8Array,
  allowance: Allowance,
  known?: SequenceHeader,
  mend?: TileMender,
): PictureReading {
  const obus = obusOf(picture)
  if (!obus) return 'broken'
  const decoder = new SymbolDecoder()
  let sequence = known
  let frame: IntraFrame | undefined
  let tiles: TileReader | undefined
  let next = 0
  let isUnread = false
  for (const { type, payload } of obus) {
    if (type === SEQUENCE_HEADER) sequence = parseSequenceHeader(payload)
    if (type === FRAME || type === FRAME_HEADER) {
      if (frame && next < tilesOf(frame)) return 'broken'
      frame = sequence && readIntraFrame(payload, sequence)
      if (frame && !isAffordable(frame, picture.length, allowance)) frame = undefined
      if (!frame) isUnread = true
      tiles = frame && new TileReader(decoder, frame)
      next = 0
    }
    if (type !== FRAME && type !== TILE_GROUP) continue
    if (!frame || !tiles) {
      if (isUnread) continue
      return 'broken'
    }
    const from = type === FRAME ? Math.ceil(frame.bits / 8) : 0
    const end = readTiles(payload, from, frame, tiles, next, mend)
    if (end < 0) return 'torn'
    next = end
  }
  if (frame && next < tilesOf(frame)) return 'broken'
  if (isUnread) return 'unread'
  return frame ? 'whole' : 'broken'
}

export function isAffordable(
  { upscaledWidth, height }: IntraFrame,
  bytes: number,
  allowance: Allowance,
): boolean {
  if (upscaledWidth * height > MOST_SAMPLES) return false
  const superblocks = Math.ceil(upscaledWidth / SUPERBLOCK) * Math.ceil(height / SUPERBLOCK)
  return allowance.take(bytes + superblocks * SUPERBLOCK_COST)
}

export function tilesOf({ tiles }: IntraFrame): number {
  return (tiles.columns.length - 1) * (tiles.rows.length - 1)
}

/** Reads tile_group_obu, §5.11.1, from the tile `next` on: the number behind its last, below 0 where one was hit. */
export function readTiles(
  payload: Uint8Array,
  from: number,
  frame: IntraFrame,
  reader: TileReader,
  next: number,
  mend?: TileMender,
): number {
  const { columns, rows, numberBits, sizeBytes, learnt } = frame.tiles
  const count = tilesOf(frame)
  let at = from
  let last = count - 1
  if (count > 1) {
    if (at < payload.length && payload[at] & 0x80) {
      const numbers = numberAt(payload, 8 * at + 1, 2 * numberBits)
      if (Math.floor(numbers / 2 ** numberBits) !== next) return -1
      last = numbers % 2 ** numberBits
      at += Math.ceil((1 + 2 * numberBits) / 8)
    } else at++
  }
  if (last >= count || last < next) return -1
  const across = columns.length - 1
  for (let tile = next; tile <= last; tile++) {
    let end = payload.length
    if (tile < last) {
      if (at + sizeBytes > payload.length) return -1
      let size = 1
      for (let i = 0; i < sizeBytes; i++) size += payload[at + i] * 256 ** i
      at += sizeBytes
      end = at + size
    }
    if (at >= end || end > payload.length) return -1
    const row = Math.floor(tile / across)
    const column = tile % across
    const place = {
      ...{ fromRow: rows[row], toRow: rows[row + 1] },
      ...{ fromColumn: columns[column], toColumn: columns[column + 1] },
    }
    const read = reader.read(payload, at, end, place, tile === learnt)
    if (!read && !mend?.({ payload, from: at, end, place, frame })) return -1
    at = end
  }
  return last + 1
}

function numberAt(bytes: Uint8Array, bit: number, count: number): number {
  let value = 0
  for (let i = bit; i < bit + count; i++) value = 2 * value + ((bytes[i >> 3] >> (7 - (i & 7))) & 1)
  return value
}

/** The OBUs of a picture; undefined where they do not fill it. */
export function obusOf(picture: Uint8Array): Obu[] | undefined {
  const obus: Obu[] = []
  let at = 0
  while (at < picture.length) {
    const header = picture[at]
    if (obus.length === MOST_OBUS) return undefined
    at += header & HAS_EXTENSION ? 2 : 1
    let end = picture.length
    if (header & HAS_SIZE) {
      const size = readLeb128((place) => picture[place], at, picture.length)
      if (size.bytes === 0) return undefined
      at += size.bytes
      end = at + size.value
    }
    if (end > picture.length) return undefined
    obus.push({ type: (header >> 3) & 15, payload: picture.subarray(at, end) })
    at = end
  }
  return obus
}
