import type { BoolDecoder } from '../bool-decoder.ts'
import type { Counts } from './counts.ts'
import { PARETO } from './pareto.ts'
import { CONTEXTS, type Probabilities, placeOf } from './probabilities.ts'
import type { Scan } from './scans.ts'

/** coefband_4x4 and coefband_8x8plus, VP9 specification v0.6 §10.3. */
const BANDS_4X4 = Uint8Array.of(0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5)
const BANDS_LARGER = new Uint8Array(1024).fill(5)
BANDS_LARGER.set([0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4])

/** cat_probs, §9.3: probabilities of the further bits of large coefficients. */
const CATEGORY_1 = Uint8Array.of(159)
const CATEGORY_2 = Uint8Array.of(165, 145)
const CATEGORY_3 = Uint8Array.of(173, 148, 140)
const CATEGORY_4 = Uint8Array.of(176, 155, 140, 135)
const CATEGORY_5 = Uint8Array.of(180, 157, 141, 134, 130)
const CATEGORY_6 = Uint8Array.of(
  ...[255, 255, 255, 255, 254, 254, 254, 252, 249, 243, 230, 196, 177, 153, 140, 133, 130, 129],
)
/** Of these, those that samples of 8 bits need. */
const CATEGORY_6_BITS = 14
const EVEN = 128

/** Reads the coefficients of blocks, for their number and their contexts' sake: §6.4.24. */
export class Coefficients {
  readonly #bools: BoolDecoder
  readonly #probabilities: Probabilities
  readonly #counts: Counts
  /** By place of the block: how large its coefficient is, as the contexts of others see it. */
  readonly #energy = new Uint8Array(1024)
  #category6 = CATEGORY_6

  constructor(bools: BoolDecoder, probabilities: Probabilities, counts: Counts) {
    this.#bools = bools
    this.#probabilities = probabilities
    this.#counts = counts
  }

  /** Samples have `depth` bits from here on. */
  beginFrame(depth: number): void {
    this.#category6 = CATEGORY_6.subarray(CATEGORY_6.length - CATEGORY_6_BITS - (depth - 8))
  }

  /** Reads a block's; `context` is 0 to 2, by those above and to the left. @returns whether there is any */
  read(size: number, plane: number, reference: number, scan: Scan, context: number): boolean {
    const bools = this.#bools
    const probabilities = this.#probabilities.coefficients
    const { coefficients: counts, more } = this.#counts
    const energy = this.#energy
    const bands = size === 0 ? BANDS_4X4 : BANDS_LARGER
    const { places, neighbours } = scan
    const base = placeOf(size, plane, reference)
    const end = places.length
    let place = base + context
    for (let i = 0; i < end; ) {
      more[place]++
      if (bools.bool(probabilities[3 * place]) === 0) {
        counts[4 * place + 3]++
        return i > 0
      }
      while (bools.bool(probabilities[3 * place + 1]) === 0) {
        counts[4 * place]++
        energy[places[i]] = 0
        if (++i === end) return true
        const around = energy[neighbours[2 * i]] + energy[neighbours[2 * i + 1]]
        place = base + bands[i] * CONTEXTS + ((1 + around) >> 1)
      }
      if (bools.bool(probabilities[3 * place + 2]) === 0) {
        counts[4 * place + 1]++
        energy[places[i]] = 1
      } else {
        counts[4 * place + 2]++
        energy[places[i]] = this.#larger(8 * probabilities[3 * place + 2])
      }
      bools.bool(EVEN)
      if (++i === end) return true
      const around = energy[neighbours[2 * i]] + energy[neighbours[2 * i + 1]]
      place = base + bands[i] * CONTEXTS + ((1 + around) >> 1)
    }
    return true
  }

  /** A coefficient above one, its probabilities from `at` on. @returns its energy class */
  #larger(at: number): number {
    const bools = this.#bools
    if (bools.bool(PARETO[at]) === 0) {
      if (bools.bool(PARETO[at + 1]) === 0) return 2
      bools.bool(PARETO[at + 2])
      return 3
    }
    if (bools.bool(PARETO[at + 3]) === 0) {
      this.#bits(bools.bool(PARETO[at + 4]) === 0 ? CATEGORY_1 : CATEGORY_2)
      return 4
    }
    if (bools.bool(PARETO[at + 5]) === 0)
      this.#bits(bools.bool(PARETO[at + 6]) === 0 ? CATEGORY_3 : CATEGORY_4)
    else this.#bits(bools.bool(PARETO[at + 7]) === 0 ? CATEGORY_5 : this.#category6)
    return 5
  }

  #bits(probabilities: Uint8Array): void {
    for (let i = 0; i < probabilities.length; i++) this.#bools.bool(probabilities[i])
  }
}
