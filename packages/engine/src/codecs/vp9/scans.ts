import { CONTEXTS } from './probabilities.ts'
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

/** coefband_4x4 and coefband_8x8plus, VP9 specification v0.6 §10.3: the last band goes on. */
const BANDS_4X4 = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5]
const BANDS_LARGER = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5]
const LAST_BAND = 5
/** Numbers of an order for each coefficient. */
export const STEP = 4

type Kind = 'default' | 'columns' | 'rows'

/**
 * An order of coefficients, four numbers each: its place, the two neighbours coded before it that tell its context (§9.3.2), and
 * where its band's contexts begin.
 */
function scan(places: Int16Array, kind: Kind): Int16Array {
  const width = Math.sqrt(places.length)
  const bands = width === 4 ? BANDS_4X4 : BANDS_LARGER
  const order = new Int16Array(STEP * places.length)
  for (let i = 0; i < places.length; i++) {
    const place = places[i]
    const above = place >= width ? place - width : -1
    const left = place % width > 0 ? place - 1 : -1
    let [a, b] = [above, left]
    if (b < 0 || (a >= 0 && kind === 'columns')) b = a
    else if (a < 0 || kind === 'rows') a = b
    order.set([place, a, b, (bands[i] ?? LAST_BAND) * CONTEXTS], STEP * i)
  }
  return order
}

/**
 * By size of the transform, 4x4 to 32x32: where both directions are alike, where the first coefficients lie in rows, and in
 * columns.
 */
const DEFAULT = [DEFAULT_4X4, DEFAULT_8X8, DEFAULT_16X16, DEFAULT_32X32].map((places) =>
  scan(places, 'default'),
)
const ROWS = [...[ROWS_4X4, ROWS_8X8, ROWS_16X16].map((places) => scan(places, 'rows')), DEFAULT[3]]
const COLUMNS = [
  ...[COLUMNS_4X4, COLUMNS_8X8, COLUMNS_16X16].map((places) => scan(places, 'columns')),
  DEFAULT[3],
]

/** Scans by size of the transform for blocks of which nothing tells a direction. */
export const DEFAULT_SCANS: readonly Int16Array[] = DEFAULT

/** Scans by intra mode, then size of the transform: mode2txfm_map, §10.1, and get_scan, §6.4.24. */
export const SCANS_OF_MODE: readonly (readonly Int16Array[])[] = [
  ...[DEFAULT, ROWS, COLUMNS, DEFAULT, DEFAULT, ROWS, COLUMNS, COLUMNS, ROWS, DEFAULT],
]
