import {
  COLUMNS_4X4,
  COLUMNS_8X8,
  COLUMNS_16X16,
  DEFAULT_4X4,
  DEFAULT_8X8,
  DEFAULT_16X16,
  DEFAULT_32X32,
  ROWS_4X4,
  ROWS_8X8,
  ROWS_16X16,
} from './scan-tables.ts'

/** An order of coefficients. */
export interface Scan {
  /** Places in their order. */
  readonly places: Int16Array
  /** Two a place: the neighbours coded before it that tell its context; VP9 specification v0.6 §9.3.2. */
  readonly neighbours: Int16Array
}

type Kind = 'default' | 'columns' | 'rows'

function scan(places: Int16Array, kind: Kind): Scan {
  const width = Math.sqrt(places.length)
  const neighbours = new Int16Array(2 * places.length)
  for (let i = 1; i < places.length; i++) {
    const place = places[i]
    const above = place >= width ? place - width : -1
    const left = place % width > 0 ? place - 1 : -1
    let [a, b] = [above, left]
    if (b < 0 || (a >= 0 && kind === 'columns')) b = a
    else if (a < 0 || kind === 'rows') a = b
    neighbours[2 * i] = a
    neighbours[2 * i + 1] = b
  }
  return { places, neighbours }
}

/** By size of the transform, 4x4 to 32x32: where both directions are alike, where the first coefficients lie in rows, and in columns. */
const DEFAULT = [DEFAULT_4X4, DEFAULT_8X8, DEFAULT_16X16, DEFAULT_32X32].map((places) =>
  scan(places, 'default'),
)
const ROWS = [...[ROWS_4X4, ROWS_8X8, ROWS_16X16].map((places) => scan(places, 'rows')), DEFAULT[3]]
const COLUMNS = [
  ...[COLUMNS_4X4, COLUMNS_8X8, COLUMNS_16X16].map((places) => scan(places, 'columns')),
  DEFAULT[3],
]

/** Scans by size of the transform for blocks of which nothing tells a direction. */
export const DEFAULT_SCANS: readonly Scan[] = DEFAULT

/** Scans by intra mode, then size of the transform: mode2txfm_map, §10.1, and get_scan, §6.4.24. */
export const SCANS_OF_MODE: readonly (readonly Scan[])[] = [
  ...[DEFAULT, ROWS, COLUMNS, DEFAULT, DEFAULT, ROWS, COLUMNS, COLUMNS, ROWS, DEFAULT],
]
