/**
 * What blocks of a frame are coded by, for those that follow and for frames that build on it: by place, in units of four samples.
 */
export class MotionGrid {
  readonly columns: number
  readonly rows: number
  /** RefFrame, AV1 specification (2019-01-08) §6.10.24: 0 for intra, -1 for none; -2 in the first where nothing was read. */
  readonly first: Int8Array
  readonly second: Int8Array
  readonly mode: Uint8Array
  readonly size: Uint8Array
  /** Of both references the rows, then the columns, in eighths of a sample. */
  readonly vectors: readonly Int16Array[]
  /** comp_group_idx, compound_idx, skip_mode and the filters along both directions. */
  readonly group: Uint8Array
  readonly index: Uint8Array
  readonly skipMode: Uint8Array
  readonly filters: readonly [Uint8Array, Uint8Array]

  constructor(columns: number, rows: number) {
    const count = columns * rows
    this.columns = columns
    this.rows = rows
    this.first = new Int8Array(count).fill(-2)
    this.second = new Int8Array(count)
    this.mode = new Uint8Array(count)
    this.size = new Uint8Array(count)
    this.vectors = [0, 1, 2, 3].map(() => new Int16Array(count))
    this.group = new Uint8Array(count)
    this.index = new Uint8Array(count)
    this.skipMode = new Uint8Array(count)
    this.filters = [new Uint8Array(count), new Uint8Array(count)]
  }
}
