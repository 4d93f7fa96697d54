import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { Piece, Section } from '../reading/pieces.ts'
import { medianOf } from '../statistics.ts'
import type { Edges } from './edges.ts'

/** Place of a piece that is left out. */
export const NOWHERE = -1
/** Rows above that are looked at where the nearest are lost. */
const ROWS_UP = 16

/** What a way says of each of a scan's pieces, as far as it has placed them. */
export interface PlacedPieces {
  readonly places: Int32Array
  /** By how much each place is likelier than the next best: a logarithm. */
  readonly margins: Float64Array
  /** Levels added to each piece's luminance where its DC is not absolute. */
  readonly offsets: Float64Array
}

/** Places of the first pieces of a scan, one of several followed side by side. */
export interface Way {
  /** The picture's positions by their MCU of the stream, -1 where nothing is. */
  readonly source: Int32Array
  /** Of each piece that was placed. */
  readonly pieces: PlacedPieces
  readonly score: number
  /** Position behind the piece placed last. */
  readonly end: number
  /** The piece placed last, -1 at first. */
  readonly last: number
}

/** The way on which none of so many pieces has a place yet. */
export function firstWay(mcuCount: number, pieces: number): Way {
  return { source: new Int32Array(mcuCount).fill(-1), pieces: roomFor(pieces), score: 0, end: 0, last: -1 }
}

/** Room for what a way says of so many pieces. */
export function roomFor(pieces: number): PlacedPieces {
  return {
    places: new Int32Array(pieces),
    margins: new Float64Array(pieces),
    offsets: new Float64Array(pieces),
  }
}

/** What lies where on a way, and by how much it is brighter or darker than coded. */
export class WayReader {
  readonly #edges: Edges
  readonly #layout: McuLayout
  readonly #pieceOf: Int32Array
  /** 1 for MCUs whose DC is absolute. */
  readonly #known: Uint8Array
  readonly #differences: Float32Array

  constructor(edges: Edges, layout: McuLayout, pieces: readonly Piece[]) {
    this.#edges = edges
    this.#layout = layout
    const count = pieces.reduce((most, piece) => Math.max(most, piece.first + piece.count), 0)
    this.#pieceOf = new Int32Array(count)
    this.#known = new Uint8Array(count)
    pieces.forEach((piece, index) => {
      this.#pieceOf.fill(index, piece.first, piece.first + piece.count)
      for (const section of piece.sections)
        if (section.known) this.#known.fill(1, section.first, section.first + section.count)
    })
    this.#differences = new Float32Array(layout.mcuWide + 1)
  }

  /** How many rows above a position the nearest MCU lies, 0 when there is none. */
  rowsUp({ source }: Way, position: number): number {
    const { mcuCount, mcuWide } = this.#layout
    if (position >= mcuCount) return 0
    let at = position - mcuWide
    for (let rows = 1; rows <= ROWS_UP && at >= 0; rows++, at -= mcuWide) {
      if (source[at] >= 0) return rows
    }
    return 0
  }

  /** Levels to be added to an MCU's luminance. */
  lift(way: Way, mcu: number): number {
    return this.#known[mcu] === 1 ? 0 : way.pieces.offsets[this.#pieceOf[mcu]]
  }

  /** Levels to be added to the luminance of an MCU of a way: nothing else of how that was found is held with it. */
  liftOn(way: Way): (mcu: number) => number {
    return (mcu) => this.lift(way, mcu)
  }

  /**
   * Levels to be added to a section whose first MCU is at `place` so that its first row continues what lies above it, by each
   * `stride`th MCU; undefined where nothing does.
   */
  level(way: Way, { first, count }: Section, place: number, stride: number): number | undefined {
    const { topMean, bottomMean } = this.#edges
    let found = 0
    for (let i = 0; i < Math.min(count, this.#layout.mcuWide); i += stride) {
      const rows = this.rowsUp(way, place + i)
      if (rows === 0) continue
      const above = way.source[place + i - rows * this.#layout.mcuWide]
      this.#differences[found++] = bottomMean[above] + this.lift(way, above) - topMean[first + i]
    }
    return found === 0 ? undefined : medianOf(this.#differences, found)
  }
}
