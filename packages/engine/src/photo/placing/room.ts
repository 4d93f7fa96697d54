import type { Piece } from '../reading/pieces.ts'

/** What room a picture of `mcuCount` MCUs leaves to pieces that stand in it one behind the other. */
export class Room {
  /** The scan's last bit is the last piece's: places are known from the end, too. */
  readonly anchored: boolean
  /** MCUs that all losses between pieces come to; undefined where the end is not known. */
  readonly missing: number | undefined
  readonly #pieces: readonly Piece[]
  readonly #mcuCount: number
  /** MCUs of each piece and all behind it. */
  readonly #remaining: number[]

  /** `complete`: the scan's end was there. */
  constructor(pieces: readonly Piece[], mcuCount: number, complete: boolean) {
    this.#pieces = pieces
    this.#mcuCount = mcuCount
    this.#remaining = new Array<number>(pieces.length + 1).fill(0)
    for (let i = pieces.length - 1; i >= 0; i--) this.#remaining[i] = this.#remaining[i + 1] + pieces[i].count
    this.anchored = complete && pieces[pieces.length - 1].flush
    this.missing = this.anchored ? this.behind(-1, 0) : undefined
  }

  /** MCUs left for losses behind a piece that ends at `end`; below 0 where those to come are longer. */
  behind(index: number, end: number): number {
    return this.#mcuCount - end - this.#remaining[index + 1]
  }

  /** Where a piece stands if nothing is lost between it and the scan's end but what was cut out on suspicion; undefined where that is not known. */
  chained(index: number): number | undefined {
    if (!this.anchored) return undefined
    let place = this.#mcuCount - this.#pieces[index].count
    for (const { count, omitted } of this.#pieces.slice(index + 1)) {
      if (omitted === undefined) return undefined
      place -= count + omitted
    }
    return place
  }
}
