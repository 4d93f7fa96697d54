import type { BoolDecoder } from '../bool-decoder.ts'
import { type Counts, NONE, SOME } from './counts.ts'
import { PARETO } from './pareto.ts'
import { type Probabilities, placeOf } from './probabilities.ts'
import { STEP } from './scans.ts'

/**
 * The part of token_tree, §9.3.1, from two on, two entries a node: a further node, or below 0 the kind of a coefficient: two,
 * three, four, and six categories of larger ones.
 */
const LARGER_TREE = Int8Array.of(1, 3, -1, 2, -2, -3, 4, 5, -4, -5, 6, 7, -6, -7, -8, -9)
/** By kind: how large it is, as the contexts of others see it. */
const ENERGY = Uint8Array.of(0, 2, 3, 3, 4, 4, 5, 5, 5, 5)
/** cat_probs, §9.3: probabilities of the further bits of the six categories; of the last one's, samples of 12 bits need all. */
const CATEGORIES = [
  ...[[159], [165, 145], [173, 148, 140], [176, 155, 140, 135], [180, 157, 141, 134, 130]],
  [255, 255, 255, 255, 254, 254, 254, 252, 249, 243, 230, 196, 177, 153, 140, 133, 130, 129],
]
const FURTHER = Uint8Array.from(CATEGORIES.flat())
/** By kind: where those of it begin and end in `FURTHER`. */
const FURTHER_FROM = Uint8Array.of(0, 0, 0, 0, 0, 1, 3, 6, 10, 15)
const FURTHER_TO = Uint8Array.of(0, 0, 0, 0, 1, 3, 6, 10, 15, 33)
const LAST_CATEGORY = 9
/** Of the last category's bits, those that samples of 8 bits need. */
const LAST_CATEGORY_BITS = 14

/** Reads the coefficients of blocks, for their number and their contexts' sake: §6.4.24. */
export class Coefficients {
  readonly #bools: BoolDecoder
  readonly #probabilities: Probabilities
  readonly #counts: Counts
  /** By place of the block: how large its coefficient is, as the contexts of others see it; zeros between blocks. */
  readonly #energy = new Uint8Array(1024)
  /** Places of the block's coefficients that are not zero. */
  readonly #found = new Uint16Array(1024)
  readonly #furtherFrom = FURTHER_FROM.slice()

  constructor(bools: BoolDecoder, probabilities: Probabilities, counts: Counts) {
    this.#bools = bools
    this.#probabilities = probabilities
    this.#counts = counts
  }

  /** Samples have `depth` bits from here on. */
  beginFrame(depth: number): void {
    this.#furtherFrom[LAST_CATEGORY] = FURTHER_TO[LAST_CATEGORY] - LAST_CATEGORY_BITS - (depth - 8)
  }

  /** Reads a block's; `context` is 0 to 2, by those above and to the left. @returns whether there is any */
  read(size: number, plane: number, reference: number, scan: Int16Array, context: number): boolean {
    // most symbols of a frame are read here: the decoder is one of variables, and `BoolDecoder.bool` stands here four times
    const bools = this.#bools
    let { value, spare, range } = bools
    const probabilities = this.#probabilities.coefficients
    const counts = this.#counts.coefficients
    const energy = this.#energy
    const base = placeOf(size, plane, reference)
    const end = scan.length
    const found = this.#found
    let some = 0
    let place = base + context
    let at = 0
    while (at < end) {
      if (spare < WELL_LOADED) {
        value = (value << 16) | bools.nextTwo()
        spare += 16
      }
      // are there more?
      let split = 1 + (Math.imul(range - 1, probabilities[3 * place]) >> 8)
      let least = split << spare
      if (value < least) {
        const shift = Math.clz32(split) - 24
        range = split << shift
        spare -= shift
        counts[5 * place + NONE]++
        break
      }
      value = (value - least) | 0
      range = (range - split) | 0
      let shift = Math.clz32(range) - 24
      range <<= shift
      spare = (spare - shift) | 0
      counts[5 * place + SOME]++
      for (;;) {
        // is it zero?
        split = 1 + (Math.imul(range - 1, probabilities[3 * place + 1]) >> 8)
        least = split << spare
        if (value >= least) break
        shift = Math.clz32(split) - 24
        range = split << shift
        spare = (spare - shift) | 0
        counts[5 * place]++
        at += STEP
        if (at === end) break
        const around = energy[scan[at + 1]] + energy[scan[at + 2]]
        place = base + scan[at + 3] + ((1 + around) >> 1)
        if (spare < WELL_LOADED) {
          value = (value << 16) | bools.nextTwo()
          spare += 16
        }
      }
      if (at === end) break
      value = (value - least) | 0
      range = (range - split) | 0
      shift = Math.clz32(range) - 24
      range <<= shift
      spare = (spare - shift) | 0
      if (spare < WELL_LOADED) {
        value = (value << 16) | bools.nextTwo()
        spare += 16
      }
      // is it one?
      const pareto = probabilities[3 * place + 2]
      split = 1 + (Math.imul(range - 1, pareto) >> 8)
      least = split << spare
      let size = 1
      if (value < least) {
        shift = Math.clz32(split) - 24
        range = split << shift
        spare = (spare - shift) | 0
        counts[5 * place + 1]++
      } else {
        value = (value - least) | 0
        range = (range - split) | 0
        shift = Math.clz32(range) - 24
        bools.value = value
        bools.range = range << shift
        bools.spare = spare - shift
        size = this.#larger(8 * pareto)
        value = bools.value
        range = bools.range
        spare = bools.spare
        counts[5 * place + 2]++
      }
      const where = scan[at]
      energy[where] = size
      found[some++] = where
      if (spare < 0) {
        value = (value << 16) | bools.nextTwo()
        spare += 16
      }
      // the sign, without a branch: it is as often the one as the other
      split = (range + 1) >> 1
      least = split << spare
      const mask = (least - 1 - value) >> 31
      value = (value - (least & mask)) | 0
      range = (split + ((range - 2 * split) & mask)) | 0
      shift = Math.clz32(range) - 24
      range <<= shift
      spare = (spare - shift) | 0
      at += STEP
      if (at === end) break
      const around = energy[scan[at + 1]] + energy[scan[at + 2]]
      place = base + scan[at + 3] + ((1 + around) >> 1)
    }
    bools.value = value
    bools.spare = spare
    bools.range = range
    for (let i = 0; i < some; i++) energy[found[i]] = 0
    return at > 0
  }

  /** A coefficient above one, its probabilities from `first` on. @returns its energy class */
  #larger(first: number): number {
    const bools = this.#bools
    let { value, spare, range } = bools
    let node = 0
    do {
      if (spare < 0) {
        value = (value << 16) | bools.nextTwo()
        spare += 16
      }
      const split = 1 + (Math.imul(range - 1, PARETO[first + node]) >> 8)
      const least = split << spare
      if (value < least) {
        range = split
        node = LARGER_TREE[2 * node]
      } else {
        value = (value - least) | 0
        range = (range - split) | 0
        node = LARGER_TREE[2 * node + 1]
      }
      const shift = Math.clz32(range) - 24
      range <<= shift
      spare = (spare - shift) | 0
    } while (node > 0)
    const to = FURTHER_TO[-node]
    for (let bit = this.#furtherFrom[-node]; bit < to; bit++) {
      if (spare < 0) {
        value = (value << 16) | bools.nextTwo()
        spare += 16
      }
      const split = 1 + (Math.imul(range - 1, FURTHER[bit]) >> 8)
      const least = split << spare
      const mask = (least - 1 - value) >> 31
      value = (value - (least & mask)) | 0
      range = (split + ((range - 2 * split) & mask)) | 0
      const shift = Math.clz32(range) - 24
      range <<= shift
      spare = (spare - shift) | 0
    }
    bools.value = value
    bools.spare = spare
    bools.range = range
    return ENERGY[-node]
  }
}

/** Bits loaded beforehand that two symbols need at most. */
const WELL_LOADED = 7
