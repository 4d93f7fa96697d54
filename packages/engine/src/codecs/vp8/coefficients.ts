import type { BoolDecoder } from '../bool-decoder.ts'

const PER_CONTEXT = 11
const PER_BAND = 3 * PER_CONTEXT
const PER_TYPE = 8 * PER_BAND
const LAST = 16
/** Bands of coefficients by their place, RFC 6386 §13.3. */
const BANDS = Uint8Array.of(0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0)
/** Probabilities of the extra bits of large tokens, §13.2. */
const CATEGORIES = [
  [173, 148, 140],
  [176, 155, 140, 135],
  [180, 157, 141, 134, 130],
  [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
]
const EVEN = 128
/** Types of blocks, §13.3: luma beside a block of its own for DC, that block, chroma, luma with DC. */
const Y_AFTER_Y2 = 0
const Y2 = 1
const CHROMA = 2
const Y_WITH_DC = 3

/** Reads the coefficients of a frame's macroblocks in scan order, §13. */
export class Coefficients {
  readonly #probabilities: Uint8Array
  /** Whether blocks above and to the left have coefficients: 4 luma, 2 and 2 chroma, 1 DC each. */
  readonly #above: Uint8Array
  readonly #left = new Uint8Array(9)

  /** @param wide macroblocks of a row */
  constructor(probabilities: Uint8Array, wide: number) {
    this.#probabilities = probabilities
    this.#above = new Uint8Array(9 * wide)
  }

  beginRow(): void {
    this.#left.fill(0)
  }

  /** Reads those of the macroblock in column `x`; `blocks`: its blocks have modes or vectors of their own, and none for DC. */
  read(tokens: BoolDecoder, x: number, skip: boolean, blocks: boolean): void {
    const above = this.#above
    const left = this.#left
    const at = 9 * x
    if (skip) {
      above.fill(0, at, at + 8)
      left.fill(0, 0, 8)
      if (!blocks) {
        above[at + 8] = 0
        left[8] = 0
      }
      return
    }
    let type = Y_WITH_DC
    if (!blocks) {
      const some = this.#block(tokens, Y2, above[at + 8] + left[8], 0) > 0 ? 1 : 0
      above[at + 8] = some
      left[8] = some
      type = Y_AFTER_Y2
    }
    const first = blocks ? 0 : 1
    for (let row = 0; row < 4; row++)
      for (let column = 0; column < 4; column++) {
        const some = this.#block(tokens, type, above[at + column] + left[row], first) > first ? 1 : 0
        above[at + column] = some
        left[row] = some
      }
    for (let plane = 4; plane < 8; plane += 2)
      for (let row = 0; row < 2; row++)
        for (let column = 0; column < 2; column++) {
          const some =
            this.#block(tokens, CHROMA, above[at + plane + column] + left[plane + row], 0) > 0 ? 1 : 0
          above[at + plane + column] = some
          left[plane + row] = some
        }
  }

  /** Tokens of a block, §13.2; one past the last coefficient that is not zero. */
  #block(tokens: BoolDecoder, type: number, context: number, first: number): number {
    const p = this.#probabilities
    const base = type * PER_TYPE
    let n = first
    let at = base + BANDS[n] * PER_BAND + context * PER_CONTEXT
    while (n < LAST) {
      if (tokens.bool(p[at]) === 0) return n
      while (tokens.bool(p[at + 1]) === 0) {
        n++
        if (n === LAST) return LAST
        at = base + BANDS[n] * PER_BAND
      }
      n++
      const next = base + BANDS[n] * PER_BAND
      if (tokens.bool(p[at + 2]) === 0) at = next + PER_CONTEXT
      else {
        readLarge(tokens, p, at)
        at = next + 2 * PER_CONTEXT
      }
      // the sign
      tokens.bool(EVEN)
    }
    return LAST
  }
}

/** A value above one, §13.2. */
function readLarge(tokens: BoolDecoder, p: Uint8Array, at: number): void {
  if (tokens.bool(p[at + 3]) === 0) {
    if (tokens.bool(p[at + 4]) === 1) tokens.bool(p[at + 5])
    return
  }
  if (tokens.bool(p[at + 6]) === 0) {
    if (tokens.bool(p[at + 7]) === 0) tokens.bool(159)
    else {
      tokens.bool(165)
      tokens.bool(145)
    }
    return
  }
  const high = tokens.bool(p[at + 8])
  const category = 2 * high + tokens.bool(p[at + 9 + high])
  for (const probability of CATEGORIES[category]) tokens.bool(probability)
}
