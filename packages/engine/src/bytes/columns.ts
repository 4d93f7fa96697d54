type Column = Float64Array | Uint32Array | Int32Array | Uint16Array | Int16Array | Uint8Array

/** A longer column of the same kind, with room for `capacity` rows, that begins with those of `column`. */
export function widened<T extends Column>(column: T, capacity: number): T {
  const wide = new (column.constructor as new (length: number) => T)(capacity)
  wide.set(column)
  return wide
}
