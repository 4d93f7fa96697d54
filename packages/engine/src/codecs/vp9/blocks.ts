/** Modes of prediction, VP9 specification v0.6 §7.4.5 and §7.4.6: ten intra modes from 0 on, then those of vectors. */
export const DC_PRED = 0
export const NEAREST_MV = 10
export const NEAR_MV = 11
export const ZERO_MV = 12
export const NEW_MV = 13

/** Reference of intra blocks, and what stands for none. */
export const INTRA_FRAME = 0
export const NO_FRAME = -1

/**
 * The blocks of a frame in decoding order, a column for each thing known of them, and which one lies at each place of 8 by 8
 * samples.
 */
export class Blocks {
  /** Places across and down: MiCols and MiRows, §7.2.6. */
  columns = 0
  rows = 0
  /** Blocks so far. */
  length = 0
  /** By place (row times `columns` plus column), the number of its block. */
  at = new Int32Array(0)
  /** By block: MiSize, y_mode or the mode of its last part, tx_size, skip, interp_filter, seg_id_predicted. */
  size = new Uint8Array(0)
  mode = new Uint8Array(0)
  transform = new Uint8Array(0)
  skip = new Uint8Array(0)
  filter = new Uint8Array(0)
  predicted = new Uint8Array(0)
  /** ref_frame: 0 intra, 1 to 3; -1 where there is no second one. */
  first = new Int8Array(0)
  second = new Int8Array(0)
  /** Vectors by the two references, of the last part: rows times 65536 plus columns (modulo 65536), in eighths of a sample. */
  vector0 = new Int32Array(0)
  vector1 = new Int32Array(0)
  /** Of blocks below 8x8, the modes of their four parts of 4x4, and the vectors of these, two each. */
  parts = new Uint8Array(0)
  partVectors = new Int32Array(0)

  /** Begins a frame of this many places. */
  begin(columns: number, rows: number): void {
    this.columns = columns
    this.rows = rows
    this.length = 0
    const places = columns * rows
    if (this.at.length < places) this.#grow(places)
    this.at.fill(0, 0, places)
  }

  #grow(places: number): void {
    this.at = new Int32Array(places)
    this.size = new Uint8Array(places)
    this.mode = new Uint8Array(places)
    this.transform = new Uint8Array(places)
    this.skip = new Uint8Array(places)
    this.filter = new Uint8Array(places)
    this.predicted = new Uint8Array(places)
    this.first = new Int8Array(places)
    this.second = new Int8Array(places)
    this.vector0 = new Int32Array(places)
    this.vector1 = new Int32Array(places)
    this.parts = new Uint8Array(4 * places)
    this.partVectors = new Int32Array(8 * places)
  }

  /** Changes what it holds for what the other one holds. */
  exchange(other: Blocks): void {
    const mine = { ...this }
    Object.assign(this, other)
    Object.assign(other, mine)
  }

  /** Becomes as the other one is. */
  copy(other: Blocks): void {
    this.begin(other.columns, other.rows)
    this.length = other.length
    this.at.set(other.at.subarray(0, this.columns * this.rows))
    const { length } = this
    this.first.set(other.first.subarray(0, length))
    this.second.set(other.second.subarray(0, length))
    this.vector0.set(other.vector0.subarray(0, length))
    this.vector1.set(other.vector1.subarray(0, length))
  }

  /** Adds a block at a place, covering `across` times `down` places. @returns its number */
  add(size: number, row: number, column: number, across: number, down: number): number {
    const block = this.length++
    this.size[block] = size
    for (let y = 0; y < down; y++) {
      const from = (row + y) * this.columns + column
      for (let x = 0; x < across; x++) this.at[from + x] = block
    }
    return block
  }
}
