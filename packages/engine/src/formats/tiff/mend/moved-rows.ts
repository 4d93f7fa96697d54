import type { ByteReader } from '../../../bytes/reader.ts'
import type { Unit } from '../read/image.ts'

/** Rows of pixels that are not packed, and both ways in which their bytes may lie. */
export interface MovedRows {
  readonly units: readonly Unit[]
  readonly rowBytes: number
  readonly pixelBytes: number
  /** The file as it is, and as it would be had everything moved. */
  readonly before: ByteReader
  readonly after: ByteReader
}

/** By how many times what rows differ by chance a place must fit better than none. */
const CLEARLY = 6
/** Bytes of rows that are read: all that photos have. */
const MOST_READ = 512 * 1024 * 1024

/** A place among rows, and how clear it is. */
export interface PlaceAmongRows {
  readonly at: number
  /** It makes rows clearly more alike than none does. */
  readonly clear: boolean
  /**
   * So it is by what lies side by side in the rows behind it, which no edge in the picture makes, and no pattern that repeats
   * from row to row.
   */
  readonly sure: boolean
}

/**
 * Where bytes came in among rows, or are gone: every pixel is like the one above it and the one to its left, and none is like the
 * last one of the row above that comes to lie beside it. Undefined where there are too few rows to tell, or too many to look at.
 */
export function movedAmongRows({
  units,
  rowBytes,
  pixelBytes,
  before,
  after,
}: MovedRows): PlaceAmongRows | undefined {
  // what lies behind the file's end either way tells nothing
  const end = Math.min(before.size, after.size)
  const rows = rowsOf(units, rowBytes, end)
  if (!rows || rows.length < LEAST_ROWS || rows.length * rowBytes > MOST_READ) return undefined
  const read = (reader: ByteReader, { at }: Row): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(rowBytes)
    bytes.set(reader.bytes(at, rowBytes))
    return bytes
  }
  // what rows differ by, had the bytes come in behind the byte just looked at, against everything moved
  let [cost, least, place, sum] = [0, 0, rows[0].at, 0]
  let [beside, besideThere] = [0, 0]
  let above = { stay: new Uint8Array(rowBytes), moved: new Uint8Array(rowBytes) }
  let own = { stay: read(before, rows[0]), moved: read(after, rows[0]) }
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1]
    const below = next && { stay: read(before, next), moved: read(after, next) }
    for (let i = 0; i < rowBytes; i++) {
      if (row.joins) {
        const differs = Math.abs(own.stay[i] - above.stay[i])
        cost += differs - Math.abs(own.moved[i] - above.stay[i])
        sum += differs
      }
      if (i >= pixelBytes) {
        const stays = Math.abs(own.stay[i] - own.stay[i - pixelBytes])
        const less = stays - Math.abs(own.moved[i] - own.moved[i - pixelBytes])
        cost += less
        beside += less
      }
      if (below && next.joins)
        cost += Math.abs(below.moved[i] - own.stay[i]) - Math.abs(below.moved[i] - own.moved[i])
      if (cost < least) [least, place, besideThere] = [cost, row.at + i + 1, beside]
    }
    above = own
    if (below) own = below
  }
  const mean = sum / (rows.length * rowBytes)
  const clear = CLEARLY * Math.sqrt(rowBytes) * (mean + LEAST_DIFFERENCE)
  return { at: place, clear: cost - least > clear, sure: beside - besideThere > clear }
}

/** Rows by which it can be told at all. */
const LEAST_ROWS = 4
/** Levels by which rows of the flattest picture are taken to differ. */
const LEAST_DIFFERENCE = 0.5

interface Row {
  readonly at: number
  /** The row before it in the file is the one above it in the picture. */
  readonly joins: boolean
}

/** Rows that end in front of byte `end`; undefined where they are more than the file has bytes for. */
function rowsOf(units: readonly Unit[], rowBytes: number, end: number): Row[] | undefined {
  const rows: Row[] = []
  for (const [index, { offset, bytes, x, y, height }] of units.entries()) {
    const last = units[index - 1]
    const follows = last !== undefined && last.x === x && last.y + last.height === y
    const count = Math.max(0, Math.min(height, Math.floor(Math.min(bytes, end - offset) / rowBytes)))
    if ((rows.length + count) * rowBytes > end) return undefined
    for (let row = 0; row < count; row++)
      rows.push({ at: offset + row * rowBytes, joins: row > 0 || follows })
  }
  return rows
}
