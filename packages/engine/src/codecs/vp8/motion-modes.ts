import type { BoolDecoder } from '../bool-decoder.ts'
import type { InterFields } from './frame-fields.ts'
import { readBlockMode } from './key-modes.ts'
import { NEAR, NEAREST, NearVectors, pack, ZERO } from './near-vectors.ts'
import type { Probabilities } from './probabilities.ts'

/** Probabilities of modes of blocks of four by four outside key frames, RFC 6386 §16.2. */
const BLOCK_MODES = Uint8Array.of(120, 90, 79, 133, 87, 85, 80, 111, 151)
/** Of what vectors of macroblocks are, four by how many of those around are alike, §16.3. */
const CONTEXTS = [
  [7, 1, 1, 143],
  [14, 18, 14, 107],
  [135, 64, 57, 68],
  [60, 56, 128, 65],
  [159, 134, 128, 34],
  [234, 188, 128, 28],
]
/** How a macroblock is divided: which part each of its sixteen blocks is of. */
const PARTS = [
  [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1],
  [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1],
  [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3],
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
]
/** Of what a part's vector is, by those of the blocks to the left and above: unlike, left 0, above 0, alike, both 0. */
const PART_CONTEXTS = [
  [147, 136, 18],
  [106, 145, 1],
  [179, 121, 1],
  [223, 1, 34],
  [208, 1, 1],
]
/** Where in the probabilities of a part of a vector its sign, short and long values stand, §17.2. */
const SIGN = 1
const SHORT = 2
const LONG = 9
const LONG_BITS = 10
/** The bit of long values that is told last, as larger ones without it would be short. */
const LAST_BIT = 3
const VECTOR_PROBABILITIES = 19

/** Reads the modes and vectors of macroblocks of a frame that builds on others, in scan order: §16 and §17. */
export class MotionModes {
  readonly #near: NearVectors
  /** Vectors of the blocks above, four a macroblock, and to the left. */
  readonly #above: Int32Array
  readonly #left = new Int32Array(4)
  readonly #blocks = new Int32Array(16)

  constructor(wide: number, high: number) {
    this.#near = new NearVectors(wide, high)
    this.#above = new Int32Array(4 * wide)
  }

  beginRow(): void {
    this.#left.fill(0)
  }

  /** Reads those of a macroblock: whether its blocks have modes or vectors of their own. */
  read(modes: BoolDecoder, fields: InterFields, probabilities: Probabilities, x: number, y: number): boolean {
    if (modes.bool(fields.intra) === 0) {
      this.#put(x, y, 0, 0, false)
      return readIntra(modes, probabilities)
    }
    let reference = 1
    if (modes.bool(fields.last) === 1) reference = 2 + modes.bool(fields.golden)
    const near = this.#near
    near.find(x, y, reference, fields.reversed)
    const { counts, vectors } = near
    if (modes.bool(CONTEXTS[counts[ZERO]][0]) === 0) return this.#put(x, y, reference, 0, false)
    near.order()
    if (modes.bool(CONTEXTS[counts[NEAREST]][1]) === 0)
      return this.#put(x, y, reference, near.clamped(vectors[NEAREST], x, y), false)
    if (modes.bool(CONTEXTS[counts[NEAR]][2]) === 0)
      return this.#put(x, y, reference, near.clamped(vectors[NEAR], x, y), false)
    const best = near.clamped(counts[NEAREST] >= counts[ZERO] ? vectors[NEAREST] : 0, x, y)
    if (modes.bool(CONTEXTS[near.splits(x, y)][3]) === 0)
      return this.#put(x, y, reference, readVector(modes, probabilities.vectors, best), false)
    this.#readParts(modes, probabilities.vectors, x, best)
    return this.#put(x, y, reference, this.#blocks[15], true)
  }

  #readParts(modes: BoolDecoder, probabilities: Uint8Array, x: number, best: number): void {
    let division = 3
    if (modes.bool(110) === 1) division = modes.bool(111) === 0 ? 2 : modes.bool(150)
    const parts = PARTS[division]
    const blocks = this.#blocks
    for (let part = 0; part <= parts[15]; part++) {
      const first = parts.indexOf(part)
      const left = first % 4 === 0 ? this.#left[first >> 2] : blocks[first - 1]
      const above = first < 4 ? this.#above[4 * x + first] : blocks[first - 4]
      const vector = readPart(modes, probabilities, left, above, best)
      for (let block = first; block < blocks.length; block++)
        if (parts[block] === part) blocks[block] = vector
    }
  }

  /** Keeps a macroblock; returns whether it is divided. */
  #put(x: number, y: number, reference: number, vector: number, isSplit: boolean): boolean {
    this.#near.put(x, y, reference, vector, isSplit)
    for (let i = 0; i < 4; i++) {
      this.#above[4 * x + i] = isSplit ? this.#blocks[12 + i] : vector
      this.#left[i] = isSplit ? this.#blocks[4 * i + 3] : vector
    }
    return isSplit
  }
}

/** Modes of a macroblock that builds on no other frame. */
function readIntra(bools: BoolDecoder, { modes, chromaModes }: Probabilities): boolean {
  let isSplit = false
  if (bools.bool(modes[0]) === 1) {
    if (bools.bool(modes[1]) === 0) bools.bool(modes[2])
    else isSplit = bools.bool(modes[3]) === 1
  }
  for (let i = 0; isSplit && i < 16; i++) readBlockMode(bools, BLOCK_MODES, 0)
  if (bools.bool(chromaModes[0]) === 1 && bools.bool(chromaModes[1]) === 1) bools.bool(chromaModes[2])
  return isSplit
}

function readPart(
  modes: BoolDecoder,
  probabilities: Uint8Array,
  left: number,
  above: number,
  best: number,
): number {
  let context = left === 0 ? 1 : 0
  if (left === above) context = left === 0 ? 4 : 3
  else if (above === 0) context = 2
  const [isOther, isThird, isNew] = PART_CONTEXTS[context]
  if (modes.bool(isOther) === 0) return left
  if (modes.bool(isThird) === 0) return above
  return modes.bool(isNew) === 0 ? 0 : readVector(modes, probabilities, best)
}

/** What is added to a vector: its row, then its column. */
function readVector(modes: BoolDecoder, probabilities: Uint8Array, best: number): number {
  const row = (best >> 16) + readComponent(modes, probabilities, 0)
  const column = ((best << 16) >> 16) + readComponent(modes, probabilities, VECTOR_PROBABILITIES)
  return pack(row, column)
}

function readComponent(modes: BoolDecoder, p: Uint8Array, at: number): number {
  let value = 0
  if (modes.bool(p[at]) === 1) {
    for (let i = 0; i < LAST_BIT; i++) value += modes.bool(p[at + LONG + i]) << i
    for (let i = LONG_BITS - 1; i > LAST_BIT; i--) value += modes.bool(p[at + LONG + i]) << i
    if (value < 2 << LAST_BIT || modes.bool(p[at + LONG + LAST_BIT]) === 1) value += 1 << LAST_BIT
  } else {
    const high = modes.bool(p[at + SHORT])
    const from = at + SHORT + 1 + 3 * high
    const middle = modes.bool(p[from])
    value = 4 * high + 2 * middle + modes.bool(p[from + 1 + middle])
  }
  return value > 0 && modes.bool(p[at + SIGN]) === 1 ? -value : value
}
