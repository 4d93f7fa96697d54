/** The place of a tile, in units of four samples. */
export interface TilePlace {
  readonly fromRow: number
  readonly toRow: number
  readonly fromColumn: number
  readonly toColumn: number
}

/** is_inside, AV1 specification (2019-01-08) §5.11.51. */
export function isInside(place: TilePlace, row: number, column: number): boolean {
  const { fromRow, toRow, fromColumn, toColumn } = place
  return row >= fromRow && row < toRow && column >= fromColumn && column < toColumn
}
