import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { Piece } from '../reading/pieces.ts'

const SAMPLES_ACROSS = 8
/** Levels from which on a jump counts no more. */
const MOST = 60
/** Rows from which on a piece tells where its rows end. */
const LEAST_ROWS = 3
const WEIGHT = 1
/** The most that counts: upright edges of the picture's own jump as consistently. */
const MOST_WORTH = 16
/** Levels added to what is usual, so that noise of flat pictures is none. */
const GROUND = 2

/**
 * Where rows end within a piece: there the scan goes on at the other side of the picture, and colours jump more often than
 * elsewhere. That tells the column of a piece whatever stands above it.
 */
export class WrapEvidence {
  readonly #coefficients: Int16Array
  readonly #layout: McuLayout
  readonly #units: readonly number[]
  readonly #known = new Map<Piece, Float32Array>()

  constructor(coefficients: Int16Array, layout: McuLayout, quantisation: readonly ArrayLike<number>[]) {
    this.#coefficients = coefficients
    this.#layout = layout
    this.#units = quantisation.map((table) => table[0] / SAMPLES_ACROSS)
  }

  /** How much more than usual jumps where rows end if the piece stands at `place`. */
  of(piece: Piece, place: number): number {
    const wide = this.#layout.mcuWide
    if (piece.count < LEAST_ROWS * wide) return 0
    let jumps = this.#known.get(piece)
    if (!jumps) {
      jumps = this.#jumps(piece)
      this.#known.set(piece, jumps)
    }
    return jumps[(wide - (place % wide)) % wide]
  }

  /** By distance from the piece's first MCU, modulo a row: the sum over rows of jumps beyond what is usual. */
  #jumps(piece: Piece): Float32Array {
    const wide = this.#layout.mcuWide
    const sums = new Float32Array(wide)
    let all = 0
    for (let i = 1; i < piece.count; i++) {
      const jump = this.#jump(piece.first + i)
      sums[i % wide] += jump
      all += jump
    }
    const usual = all / Math.max(1, piece.count - 1)
    const rows = piece.count / wide
    for (let i = 0; i < wide; i++) {
      const worth = (WEIGHT * (sums[i] - usual * rows)) / (usual + GROUND)
      sums[i] = Math.max(-MOST_WORTH, Math.min(MOST_WORTH, worth))
    }
    return sums
  }

  /** How much DC differs between neighbouring blocks of an MCU and the one before it, in levels. */
  #jump(mcu: number): number {
    const { components, mcuLength } = this.#layout
    const here = mcu * mcuLength
    const before = here - mcuLength
    let sum = 0
    components.forEach(({ h, v, firstBlock }, index) => {
      for (let row = 0; row < v; row++) {
        const left = here + (firstBlock + row * h) * BLOCK_COEFFICIENTS
        const right = before + (firstBlock + row * h + h - 1) * BLOCK_COEFFICIENTS
        const difference = this.#coefficients[left] - this.#coefficients[right]
        sum += Math.min(MOST, Math.abs(difference) * this.#units[index]) / v
      }
    })
    return sum
  }
}
