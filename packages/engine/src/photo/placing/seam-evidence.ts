import type { Edges } from './edges.ts'

/** Levels from which on a mismatch counts no more. */
const MOST = 48
/** Mismatches are told apart by their logarithm, from the smallest on. */
const LEAST_MISMATCH = 0.25
const BINS_OF_DOUBLE = 3
const BINS = 24
/** The bin of each mismatch, by parts of a level. */
const PARTS_OF_LEVEL = 64
const BIN_OF = Uint8Array.from({ length: MOST * PARTS_OF_LEVEL + 1 }, (_, i) => {
  const mismatch = Math.max(LEAST_MISMATCH, (i + 0.5) / PARTS_OF_LEVEL)
  return Math.min(BINS - 1, Math.floor(BINS_OF_DOUBLE * Math.log2(mismatch / LEAST_MISMATCH)))
})
/** Kinds of edges, by how much detail they have: even ones fit at many places. */
const LEAST_DETAIL = 0.5
const KINDS = 7
/** Pairs that are learned from at most. */
const MOST_LEARNED = 24_000
/** Pairs of a kind from which on it is known well. */
const FORGETS = 20
/** The most that one MCU says, and what is left of it since neighbours agree by themselves. */
const MOST_SAID = 2.5
const OF_ITS_OWN = 0.5
/** MCUs aside by which pairs that do not belong together are off. */
const OFF = [1, -2, 3, -5, 8, -13, 21, -34, 55]
/** Distances in rows at which it is learned what is usual; one between counts as the next greater. */
export const DISTANCES = [1, 2, 4, 8, 16]

/** MCUs that lie behind each other in the stream, without a break. */
interface Stretch {
  readonly first: number
  readonly count: number
}

/**
 * How likely MCUs are to lie above each other, by what is usual in this very picture: the logarithm of how much more often a
 * mismatch occurs between MCUs so many rows apart in one column than between such as many rows apart a little aside.
 */
export class SeamEvidence {
  readonly #edges: Edges
  /** By distance, kind and mismatch. */
  readonly #said = new Float32Array(DISTANCES.length * KINDS * BINS)
  /** Kinds of the upper and lower edge of each MCU, by themselves. */
  readonly #topKinds: Uint8Array
  readonly #bottomKinds: Uint8Array

  constructor(edges: Edges, stretches: readonly Stretch[], mcuWide: number) {
    this.#edges = edges
    this.#topKinds = kindsOf(edges.topDetail)
    this.#bottomKinds = kindsOf(edges.bottomDetail)
    DISTANCES.forEach((rows, index) => {
      this.#learn(stretches, rows * mcuWide, index * KINDS * BINS)
    })
  }

  /**
   * What it says for `below` to lie right under `above`, whose luminance is `offset` higher than coded: above 0 for, below 0
   * against.
   */
  of(below: number, above: number, offset: number): number {
    return this.#said[this.#cell(below, above, offset)]
  }

  /**
   * Adds to `sums` what it says for `below` to lie under `above` if their edges differ as they do at each of `DISTANCES`, and at
   * the end what it says if they differ as they do `rows` apart. The farther apart they are the less it is for or against.
   */
  add(below: number, above: number, offset: number, rows: number, sums: Float64Array): void {
    const cell = this.#cell(below, above, offset)
    const own = Math.min(DISTANCES.length - 1, Math.ceil(Math.log2(rows)))
    for (let i = 0; i < DISTANCES.length; i++) sums[i] += this.#said[i * KINDS * BINS + cell]
    sums[DISTANCES.length] += this.#said[own * KINDS * BINS + cell]
  }

  /** Learns what is usual `lag` MCUs apart, which is whole rows, for the part of the table from `base` on. */
  #learn(stretches: readonly Stretch[], lag: number, base: number): void {
    const right = new Float32Array(KINDS * BINS)
    const wrong = new Float32Array(KINDS * BINS)
    const total = stretches.reduce((sum, { count }) => sum + count, 0)
    const stride = Math.max(1, Math.floor(total / MOST_LEARNED))
    let turn = 0
    for (const { first, count } of stretches) {
      for (let at = first + lag; at < first + count; at += stride) {
        right[this.#cell(at, at - lag, 0)]++
        const other = at - lag + OFF[turn++ % OFF.length]
        if (other >= first && other < at) wrong[this.#cell(at, other, 0)]++
      }
    }
    for (let kind = 0; kind < KINDS; kind++) this.#compare(right, wrong, kind * BINS, base)
  }

  #cell(below: number, above: number, offset: number): number {
    const kind = Math.min(this.#topKinds[below], this.#bottomKinds[above])
    const mismatch = this.#edges.mismatch(below, above, offset, MOST)
    return kind * BINS + BIN_OF[Math.floor(mismatch * PARTS_OF_LEVEL)]
  }

  /** What each mismatch of a kind says; bins next to each other are taken together, so that few pairs tell something, too. */
  #compare(right: Float32Array, wrong: Float32Array, from: number, base: number): void {
    const smooth = (counts: Float32Array, bin: number): number => {
      let sum = 0
      for (let i = -1; i <= 1; i++) {
        if (bin + i >= 0 && bin + i < BINS) sum += counts[from + bin + i] * (i === 0 ? 2 : 1)
      }
      return sum / 4
    }
    let rights = 0
    let wrongs = 0
    for (let bin = 0; bin < BINS; bin++) {
      rights += right[from + bin]
      wrongs += wrong[from + bin]
    }
    if (rights === 0 || wrongs === 0) return
    for (let bin = 0; bin < BINS; bin++) {
      const mine = smooth(right, bin)
      const others = smooth(wrong, bin)
      const usual = (mine + others) / (rights + wrongs)
      const forth = (mine + FORGETS * usual) / (rights + FORGETS)
      const against = (others + FORGETS * usual) / (wrongs + FORGETS)
      if (usual === 0) continue
      const said = Math.log(forth / against)
      this.#said[base + from + bin] = OF_ITS_OWN * Math.max(-MOST_SAID, Math.min(MOST_SAID, said))
    }
    // beyond what was ever seen it says what the nearest does
    for (let bin = 1; bin < BINS; bin++) {
      if (right[from + bin] + wrong[from + bin] === 0 && this.#said[base + from + bin] === 0) {
        this.#said[base + from + bin] = this.#said[base + from + bin - 1]
      }
    }
  }
}

/** The kind of each edge: how often its detail is twice the least. */
function kindsOf(details: Float32Array): Uint8Array {
  const kinds = new Uint8Array(details.length)
  for (let i = 0; i < kinds.length; i++) {
    let kind = 0
    for (let most = 2 * LEAST_DETAIL; kind < KINDS - 1 && details[i] >= most; most *= 2) kind++
    kinds[i] = kind
  }
  return kinds
}
