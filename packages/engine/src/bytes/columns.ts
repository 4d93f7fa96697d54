type Column = Float64Array | Uint32Array | Int32Array | Uint16Array | Int16Array | Uint8Array

/** A longer column of the same kind, with room for `capacity` rows, that begins with those of `column`. */
export function widened<T extends Column>(column: T, capacity: number): T {
  const wide = new (column.constructor as new (length: number) => T)(capacity)
  wide.set(column)
  return wide
}

/** Rows from which on a table grows to what the bytes so far promise of the rest. */
const TELLING = 1 << 16
/** How many more rows there is room for than the bytes so far promise, and how many times those that there are at most. */
const SPARE = 1.05
const MOST_AT_ONCE = 8
/** Rows from which on a table grows by half of them. */
const LARGE = 1 << 19

/**
 * Rows that a full table of `rows` is to have room for, up to `limit`: rows behind the first few are as dense as those, mostly,
 * so that room for all of them is made at once, and nothing is copied again and again.
 * @param passed bytes of the file up to the last row
 * @param bytes of the whole file, 0 where these are not known
 */
export function roomFor(rows: number, limit: number, passed: number, bytes: number): number {
  const usual = rows < LARGE ? rows * 2 : rows + (rows >> 1)
  const promised = rows < TELLING || passed <= 0 ? 0 : Math.ceil((rows * SPARE * bytes) / passed)
  return Math.min(limit, Math.max(usual, Math.min(promised, rows * MOST_AT_ONCE)))
}
