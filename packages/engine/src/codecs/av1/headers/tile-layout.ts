import type { BitReader } from '../../../bytes/bit-reader.ts'

/** MAX_TILE_WIDTH and MAX_TILE_AREA in samples, MAX_TILE_COLS and MAX_TILE_ROWS: AV1 specification (2019-01-08) §3. */
const MOST_WIDTH = 4096
const MOST_AREA = 4096 * 2304
const MOST_ACROSS = 64
const MOST_DOWN = 64

/** How a frame is cut into tiles. */
export interface TileLayout {
  /** Where columns and rows of tiles begin, and the last of them ends, in units of four samples. */
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  /** Bits of a tile's number, and bytes of a tile's size. */
  readonly numberBits: number
  readonly sizeBytes: number
  /** context_update_tile_id. */
  readonly learnt: number
}

/** Reads tile_info of a frame of so many units of four samples, §5.9.15; `shift`: 5 of superblocks of 128 samples, else 4. */
export function readTileLayout(bits: BitReader, across: number, down: number, shift: number): TileLayout {
  const wide = (across + (1 << shift) - 1) >> shift
  const high = (down + (1 << shift) - 1) >> shift
  const most = MOST_WIDTH >> (shift + 2)
  const area = MOST_AREA >> (2 * (shift + 2))
  const least = doublings(most, wide)
  const leastTiles = Math.max(least, doublings(area, wide * high))
  const ends = (starts: number[], end: number): number[] => [...starts.map((at) => at << shift), end]
  let columns: number[]
  let rows: number[]
  if (bits.bit() === 1) {
    const columnBits = upTo(bits, least, doublings(1, Math.min(wide, MOST_ACROSS)))
    columns = ends(evenly(wide, columnBits), across)
    const rowBits = upTo(bits, Math.max(leastTiles - columnBits, 0), doublings(1, Math.min(high, MOST_DOWN)))
    rows = ends(evenly(high, rowBits), down)
    return { columns, rows, ...sizesOf(bits, columnBits + rowBits) }
  }
  const starts = unevenly(bits, wide, most)
  columns = ends(starts, across)
  const widest = Math.max(...starts.map((at, i) => (starts[i + 1] ?? wide) - at))
  const mostArea = leastTiles > 0 ? (wide * high) >> (leastTiles + 1) : wide * high
  const rowStarts = unevenly(bits, high, Math.max(Math.floor(mostArea / widest), 1))
  rows = ends(rowStarts, down)
  return { columns, rows, ...sizesOf(bits, doublings(1, starts.length) + doublings(1, rowStarts.length)) }
}

function sizesOf(
  bits: BitReader,
  numberBits: number,
): Pick<TileLayout, 'learnt' | 'numberBits' | 'sizeBytes'> {
  const learnt = bits.bits(numberBits)
  return { learnt, numberBits, sizeBytes: numberBits > 0 ? bits.bits(2) + 1 : 0 }
}

/** How often a size is doubled until it reaches another. */
function doublings(size: number, target: number): number {
  let count = 0
  while (size << count < target) count++
  return count
}

/** A number that rises by one for each bit that is set, up to a bound. */
function upTo(bits: BitReader, least: number, most: number): number {
  let value = least
  while (value < most && bits.bit() === 1) value++
  return value
}

function evenly(length: number, halvings: number): number[] {
  const step = (length + (1 << halvings) - 1) >> halvings
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step)
}

function unevenly(bits: BitReader, length: number, most: number): number[] {
  const starts = []
  for (let at = 0; at < length; at += 1 + oneOf(bits, Math.min(length - at, most))) starts.push(at)
  return starts
}

/** ns(n), §4.10.7. */
function oneOf(bits: BitReader, count: number): number {
  const width = 32 - Math.clz32(count)
  const short = (1 << width) - count
  const value = bits.bits(width - 1)
  return value < short ? value : 2 * value - short + bits.bit()
}
