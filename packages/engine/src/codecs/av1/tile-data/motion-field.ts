import type { InterFrame } from '../headers/inter-frame.ts'
import { distance, type SavedFrame } from '../headers/references.ts'
import type { MotionGrid } from './motion-grid.ts'

/** MAX_FRAME_DISTANCE, MAX_OFFSET_WIDTH and REFMVS_LIMIT, AV1 specification (2019-01-08) §3. */
const FARTHEST = 31
const MOST_ASIDE = 8
const LONGEST = (1 << 12) - 1
const MOST_PROJECTED = (1 << 14) - 1
/** Div_Mult, §7.9.3. */
const DIVISORS = Array.from({ length: FARTHEST + 1 }, (_, i) => (i === 0 ? 0 : Math.floor(16384 / i)))

/** get_mv_projection of one part of a vector. */
export function projected(part: number, numerator: number, denominator: number): number {
  const over = Math.min(Math.max(numerator, -FARTHEST), FARTHEST)
  const scaled = part * over * DIVISORS[Math.min(denominator, FARTHEST)]
  const rounded = scaled < 0 ? -Math.floor((-scaled + 8192) / 16384) : Math.floor((scaled + 8192) / 16384)
  return Math.min(Math.max(rounded, -MOST_PROJECTED), MOST_PROJECTED)
}

/** Vectors of frames before, carried on to this one: motion field estimation, §7.9. */
export class MotionField {
  readonly wide: number
  readonly high: number
  /** By place of eight samples: how many frames a vector is for, 0 where there is none, and its parts. */
  readonly frames: Uint8Array
  readonly vectors: Int16Array
  readonly #frame: InterFrame

  constructor(frame: InterFrame) {
    this.#frame = frame
    this.wide = frame.columns >> 1
    this.high = frame.rows >> 1
    this.frames = new Uint8Array(this.wide * this.high)
    this.vectors = new Int16Array(2 * this.wide * this.high)
    const { references, orderHints, orderHint, orderHintBits } = frame
    const ahead = (reference: number): boolean =>
      distance(orderHints[reference], orderHint, orderHintBits) > 0
    if (references[1]?.orderHints[7] !== orderHints[4]) this.#project(1, -1)
    let left = 1
    if (ahead(5) && this.#project(5, 1)) left--
    if (ahead(6) && this.#project(6, 1)) left--
    if (ahead(7) && left >= 0 && this.#project(7, 1)) left--
    if (left >= 0) this.#project(2, -1)
  }

  /** The projection process: false where the reference has no vectors. */
  #project(source: number, sign: number): boolean {
    const { references, orderHints, orderHint, orderHintBits, columns, rows } = this.#frame
    const reference = references[source]
    if (!reference || reference.intra || reference.columns !== columns || reference.rows !== rows)
      return false
    const toCurrent = distance(orderHints[source], orderHint, orderHintBits)
    if (Math.abs(toCurrent) > FARTHEST) return true
    for (let y = 0; y < this.high; y++) {
      for (let x = 0; x < this.wide; x++) {
        const at = this.wide * y + x
        const other = reference.fieldReferences[at]
        if (other === 0) continue
        const apart = distance(orderHints[source], reference.orderHints[other], orderHintBits)
        if (apart <= 0 || apart > FARTHEST) continue
        const down = reference.fieldVectors[2 * at]
        const across = reference.fieldVectors[2 * at + 1]
        const row = y + sign * eighths(projected(down, toCurrent * sign, apart))
        const column = x + sign * eighths(projected(across, toCurrent * sign, apart))
        const top = y & ~7
        const left = x & ~7
        if (row < top || row >= top + 8 || row >= this.high) continue
        if (
          column < 0 ||
          column >= this.wide ||
          column < left - MOST_ASIDE ||
          column >= left + 8 + MOST_ASIDE
        )
          continue
        const to = this.wide * row + column
        this.frames[to] = apart
        this.vectors[2 * to] = down
        this.vectors[2 * to + 1] = across
      }
    }
    return true
  }
}

/** Places of eight samples that a part of a vector reaches over. */
function eighths(part: number): number {
  return part >= 0 ? part >> 6 : -(-part >> 6)
}

/** What of a frame's vectors is kept: motion field motion vector storage, §7.19. */
export function fieldOf(
  { orderHints, orderHint, orderHintBits }: InterFrame,
  grid: MotionGrid,
): Pick<SavedFrame, 'fieldReferences' | 'fieldVectors'> {
  const wide = grid.columns >> 1
  const high = grid.rows >> 1
  const fieldReferences = new Uint8Array(wide * high)
  const fieldVectors = new Int16Array(2 * wide * high)
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const at = grid.columns * (2 * y + 1) + 2 * x + 1
      for (const list of [0, 1]) {
        const reference = list === 0 ? grid.first[at] : grid.second[at]
        if (reference <= 0 || distance(orderHints[reference], orderHint, orderHintBits) >= 0) continue
        const down = grid.vectors[2 * list][at]
        const across = grid.vectors[2 * list + 1][at]
        if (Math.abs(down) > LONGEST || Math.abs(across) > LONGEST) continue
        fieldReferences[wide * y + x] = reference
        fieldVectors[2 * (wide * y + x)] = down
        fieldVectors[2 * (wide * y + x) + 1] = across
      }
    }
  }
  return { fieldReferences, fieldVectors }
}
