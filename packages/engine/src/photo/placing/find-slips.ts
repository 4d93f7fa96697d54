import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { type CutOut, type Piece, partsBetween } from '../reading/pieces.ts'
import { medianOf } from '../statistics.ts'
import type { Edges } from './edges.ts'
import type { Placement } from './place.ts'
import { SeamEvidence } from './seam-evidence.ts'

/** Rows that fit worst and are looked at, and MCUs between two places at which such a row may begin. */
const SUSPECTS = 24
const STRIDE = 8
/** The least part of a row that tells something. */
const LEAST_OF_ROW = 0.4
/** How much better another column must be than the one where MCUs stand: a logarithm of likelihoods. */
const CLEAR_GAIN = 18
/**
 * Columns aside that are tried with every MCU, after all were with about so many: a row of a wide picture has thousands of both.
 */
const FINE = 16
const COARSE_SAMPLES = 64
/** How much worse than rows around it a row must fit to be looked at. */
const LEAST_WORTH = 8
/** MCUs between what is right in front of a slip and what is right behind it, at least: reading loses its way in one. */
const LEAST_LOST = 1

interface Window {
  readonly piece: number
  /** MCUs of the piece in front of it, and in it. */
  readonly at: number
  readonly count: number
  readonly worth: number
}

/** MCUs of a piece that are looked at: `from` up to `to`, each `stride`th of them; those from `levelFrom` on tell their level. */
interface Look {
  readonly from: number
  readonly to: number
  readonly levelFrom: number
  readonly stride: number
}

/**
 * Finds where reading lost or gained MCUs within pieces that have their places: a row from there on fits what lies above clearly
 * better some columns aside. What stands above may be another piece.
 */
export class SlipFinder {
  readonly #edges: Edges
  readonly #wide: number
  readonly #pieces: readonly Piece[]
  readonly #placement: Placement
  readonly #seams: SeamEvidence
  readonly #differences: Float32Array
  readonly #said: Float32Array
  readonly #other: Float32Array

  constructor(edges: Edges, layout: McuLayout, pieces: readonly Piece[], placement: Placement) {
    this.#edges = edges
    this.#wide = layout.mcuWide
    this.#pieces = pieces
    this.#placement = placement
    this.#seams = new SeamEvidence(edges, pieces, layout.mcuWide)
    this.#differences = new Float32Array(2 * layout.mcuWide)
    this.#said = new Float32Array(2 * layout.mcuWide)
    this.#other = new Float32Array(2 * layout.mcuWide)
  }

  /** The pieces cut at slips; undefined when there are none. */
  cut(): Piece[] | undefined {
    const cuts = new Map<number, CutOut[]>()
    for (const window of this.#suspects()) {
      const found = this.#slip(window)
      if (found) cuts.set(window.piece, [...(cuts.get(window.piece) ?? []), found])
    }
    if (cuts.size === 0) return undefined
    return this.#pieces.flatMap((piece, index) => {
      const own = (cuts.get(index) ?? []).sort((a, b) => a.stop - b.stop)
      const parts = partsBetween(piece, own)
      return parts.map((part, at) => (at > 0 && at === parts.length - 1 ? { ...part, slipped: true } : part))
    })
  }

  /** Windows of a row that fit worst beside the rows in front of and behind them, none near another. */
  #suspects(): Window[] {
    const wide = this.#wide
    const found: Window[] = []
    this.#pieces.forEach((piece, index) => {
      const place = this.#placement.places[index]
      if (place < 0) return
      const sums = this.#sums(piece, index)
      const mean = (from: number, to: number): number => {
        const first = Math.max(0, from)
        const last = Math.min(piece.count, to)
        return last - first < LEAST_OF_ROW * wide ? 0 : (sums[last] - sums[first]) / (last - first)
      }
      for (let at = 0; at + LEAST_OF_ROW * wide < piece.count; at += STRIDE) {
        const count = Math.min(wide, piece.count - at)
        const around = Math.max(0, mean(at - wide, at), mean(at + wide, at + 2 * wide))
        found.push({ piece: index, at, count, worth: around * count - (sums[at + count] - sums[at]) })
      }
    })
    found.sort((a, b) => b.worth - a.worth)
    const kept: Window[] = []
    for (const window of found) {
      if (kept.length === SUSPECTS || window.worth < LEAST_WORTH) break
      const near = ({ piece, at }: Window): boolean =>
        piece === window.piece && Math.abs(at - window.at) < wide
      if (!kept.some(near)) kept.push(window)
    }
    return kept
  }

  /** Sums of what is said for the MCUs of a piece to stand where they do. */
  #sums(piece: Piece, index: number): Float64Array {
    const { source, places, lift } = this.#placement
    const sums = new Float64Array(piece.count + 1)
    for (let i = 0; i < piece.count; i++) {
      const position = places[index] + i
      const above =
        position < source.length && source[position] === piece.first + i ? source[position - this.#wide] : -1
      const said =
        above >= 0 ? this.#seams.of(piece.first + i, above, lift(piece.first + i) - lift(above)) : 0
      sums[i + 1] = sums[i] + said
    }
    return sums
  }

  /** Where a window's slip begins and what is behind it goes on, when one explains it. */
  #slip({ piece: index, at, count }: Window): CutOut | undefined {
    const piece = this.#pieces[index]
    // what is in front of the window tells where the slip begins
    const from = Math.max(0, at - Math.floor(this.#wide / 2))
    const all = { from: at, to: at + count, levelFrom: at, stride: 1 }
    const coarse = { ...all, stride: Math.max(1, Math.floor(count / COARSE_SAMPLES)) }
    const now = this.#weigh(piece, index, all, 0, this.#said)
    let best = { aside: 0, worth: now + CLEAR_GAIN }
    for (const aside of this.#likeliest(piece, index, coarse)) {
      const worth = this.#weigh(piece, index, all, aside, this.#other)
      if (worth > best.worth) best = { aside, worth }
    }
    if (best.aside === 0) return undefined
    this.#weigh(piece, index, { ...all, from, levelFrom: from }, 0, this.#said)
    this.#weigh(piece, index, { ...all, from }, best.aside, this.#other)
    const [stop, next] = this.#ends(at + count - from)
    return { stop: from + stop, next: from + next }
  }

  /** The columns aside that fit best by a look at some of a row's MCUs. */
  #likeliest(piece: Piece, index: number, coarse: Look): number[] {
    const reach = Math.floor(this.#wide / 2)
    const tried: { readonly aside: number; readonly worth: number }[] = []
    for (let aside = -reach; aside <= reach; aside++) {
      if (aside !== 0) tried.push({ aside, worth: this.#weigh(piece, index, coarse, aside, this.#other) })
    }
    tried.sort((a, b) => b.worth - a.worth)
    return tried.slice(0, FINE).map(({ aside }) => aside)
  }

  /**
   * What is said, in `out` by MCU from the first looked at and altogether, for MCUs of a piece to stand `aside` columns farther
   * on.
   */
  #weigh(
    piece: Piece,
    index: number,
    { from, to, levelFrom, stride }: Look,
    aside: number,
    out: Float32Array,
  ): number {
    const { source, places, lift } = this.#placement
    const { topMean, bottomMean } = this.#edges
    const aboveOf = (i: number): number => {
      const position = places[index] + i + aside - this.#wide
      const above = position >= 0 && position < source.length ? source[position] : -1
      // it cannot stand above itself
      return above >= piece.first + i ? -1 : above
    }
    let count = 0
    for (let i = levelFrom; i < to; i += stride) {
      const above = aboveOf(i)
      if (above >= 0) this.#differences[count++] = bottomMean[above] + lift(above) - topMean[piece.first + i]
    }
    const level = medianOf(this.#differences, count)
    let sum = 0
    for (let i = from; i < to; i += stride) {
      const above = aboveOf(i)
      const said = above < 0 ? 0 : this.#seams.of(piece.first + i, above, level - lift(above))
      out[i - from] = said
      sum += said
    }
    return sum * stride
  }

  /** The best end of what is said to stand right and the best start of what stands aside, among `count` MCUs. */
  #ends(count: number): [number, number] {
    const said = this.#said
    const other = this.#other
    let sum = 0
    let most = Number.NEGATIVE_INFINITY
    let turn = 0
    for (let i = 0; i < count; i++) {
      if (sum > most) {
        most = sum
        turn = i
      }
      sum += said[i] - other[i]
    }
    let stop = turn
    sum = 0
    most = 0
    for (let i = turn - 1; i >= 0; i--) {
      sum -= said[i]
      if (sum > most) {
        most = sum
        stop = i
      }
    }
    let next = turn
    sum = 0
    most = 0
    for (let i = turn; i < count - 1; i++) {
      sum -= other[i]
      if (sum > most) {
        most = sum
        next = i + 1
      }
    }
    return [stop, Math.max(next, stop + LEAST_LOST)]
  }
}
