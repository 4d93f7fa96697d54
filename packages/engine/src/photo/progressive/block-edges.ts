import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'

const BLOCK = 8
/**
 * Where the coefficients stand in zigzag order that vary across a block only, and down it only, from the slowest to the fastest.
 */
const ACROSS = [1, 5, 6, 14, 15, 27, 28]
const DOWN = [2, 3, 9, 10, 20, 21, 35]
/** What each adds to the mean along a block's first edge, and to that along its last one. */
const FIRST = DOWN.map((_, i) => Math.cos(((i + 1) * Math.PI) / 16) / (4 * Math.SQRT2))
const LAST = FIRST.map((value, i) => (i % 2 === 0 ? -value : value))

/** A border between two blocks of a component, numbered within their MCUs. */
interface Pair {
  readonly component: number
  readonly before: number
  readonly behind: number
  /** The first of them lies in the MCU in front. */
  readonly outer: boolean
  readonly down: boolean
}

/** Borders between blocks of an MCU, and with those of the MCU in front of it. */
function pairsOf({ components }: McuLayout): Pair[] {
  return components.flatMap(({ firstBlock, h, v }, component) => {
    const pairs: Pair[] = []
    for (let y = 0; y < v; y++) {
      for (let x = 0; x < h; x++) {
        const behind = firstBlock + y * h + x
        const before = x > 0 ? behind - 1 : behind + h - 1
        pairs.push({ component, before, behind, outer: x === 0, down: false })
        if (y > 0) pairs.push({ component, before: behind - h, behind, outer: false, down: true })
      }
    }
    return pairs
  })
}

/**
 * How levels step at borders between blocks of MCUs: as differences of DC say, and as the blocks' own detail asks for so that
 * they go on in each other. Where both agree the differences belong to the detail.
 */
export class BlockEdges {
  readonly #layout: McuLayout
  readonly #pairs: readonly Pair[]
  readonly #quantisation: readonly ArrayLike<number>[]

  constructor(layout: McuLayout, quantisation: readonly ArrayLike<number>[]) {
    this.#layout = layout
    this.#pairs = pairsOf(layout)
    this.#quantisation = quantisation
  }

  /** Borders of an MCU. */
  get count(): number {
    return this.#pairs.length
  }

  /** Levels by which each border steps up by differences of DC of `count` MCUs, in multiples of `1 << low`. */
  told(differences: Int16Array, count: number, low: number): Float32Array {
    const { blocksPerMcu, components } = this.#layout
    const out = new Float32Array(count * this.count)
    const own = new Int32Array(blocksPerMcu)
    const front = new Int32Array(blocksPerMcu)
    for (let mcu = 0, at = 0; mcu < count; mcu++) {
      front.set(own)
      for (const { firstBlock, h, v } of components) {
        let level = front[firstBlock + h * v - 1]
        for (let block = firstBlock; block < firstBlock + h * v; block++) {
          level += differences[mcu * blocksPerMcu + block]
          own[block] = level
        }
      }
      for (const { component, before, behind, outer } of this.#pairs) {
        const step = own[behind] - (outer ? front : own)[before]
        out[at++] = (step * (1 << low) * this.#quantisation[component][0]) / BLOCK
      }
    }
    return out
  }

  /**
   * Levels by which each border of all MCUs of a picture has to step by their detail; 0 of borders with an MCU in another row.
   */
  wanted(coefficients: Int16Array): Float32Array {
    const { mcuCount, mcuWide, mcuLength } = this.#layout
    const out = new Float32Array(mcuCount * this.count)
    for (let mcu = 0, at = 0; mcu < mcuCount; mcu++) {
      for (const { component, before, behind, outer, down } of this.#pairs) {
        const index = at++
        if (outer && mcu % mcuWide === 0) continue
        const table = this.#quantisation[component]
        const places = down ? DOWN : ACROSS
        const lower = mcu * mcuLength + behind * BLOCK_COEFFICIENTS
        const upper = (outer ? mcu - 1 : mcu) * mcuLength + before * BLOCK_COEFFICIENTS
        let step = 0
        places.forEach((place, i) => {
          step +=
            (coefficients[upper + place] * LAST[i] - coefficients[lower + place] * FIRST[i]) * table[place]
        })
        out[index] = step
      }
    }
    return out
  }
}
