import type { Piece } from '../reading/pieces.ts'

/** What room a picture of `mcuCount` MCUs leaves to pieces that stand in it one behind the other. */
export class Room {
  /** The scan's last bit is the last piece's: places are known from the end, too. */
  readonly anchored: boolean
  /** MCUs that all losses between pieces come to; undefined where the end is not known. */
  readonly missing: number | undefined
  /** MCUs of all pieces. */
  readonly read: number
  readonly #mcuCount: number
  /** MCUs of each piece and all behind it. */
  readonly #remaining: number[]
  /**
   * Places of pieces between which nothing is lost but what was cut out on suspicion; NaN where that is not known of one behind.
   */
  readonly #chained: Float64Array

  /** `complete`: the scan's end was there. */
  constructor(pieces: readonly Piece[], mcuCount: number, complete: boolean) {
    this.#mcuCount = mcuCount
    this.#remaining = new Array<number>(pieces.length + 1).fill(0)
    for (let i = pieces.length - 1; i >= 0; i--) this.#remaining[i] = this.#remaining[i + 1] + pieces[i].count
    this.read = this.#remaining[0]
    this.#chained = new Float64Array(pieces.length)
    let next = mcuCount
    for (let i = pieces.length - 1; i >= 0; i--) {
      this.#chained[i] = next - pieces[i].count
      next = this.#chained[i] - (pieces[i].omitted ?? Number.NaN)
    }
    this.anchored = complete && pieces[pieces.length - 1].flush
    this.missing = this.anchored ? this.behind(-1, 0) : undefined
  }

  /** MCUs left for losses behind a piece that ends at `end`; below 0 where those to come are longer. */
  behind(index: number, end: number): number {
    return this.#mcuCount - end - this.#remaining[index + 1]
  }

  /**
   * Where a piece stands if nothing is lost between it and the scan's end but what was cut out on suspicion; undefined where that
   * is not known.
   */
  chained(index: number): number | undefined {
    const place = this.#chained[index]
    return !this.anchored || Number.isNaN(place) ? undefined : place
  }
}
