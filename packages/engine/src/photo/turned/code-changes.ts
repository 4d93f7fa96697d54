import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { Allowance } from '../../model/allowance.ts'

/** MCUs within which reading is in step again. */
const MOST_MCUS = 3
/** MCUs by which it is learned how large coefficients usually are, and least of that. */
const MOST_LEARNED = 4_096
const LEAST_USUAL = 0.1
/** Degrees of freedom of Student's distribution: most coefficients are 0, and some are large. */
const FREEDOM = 2

/** A scan of all coefficients as it was read, and bits that may be turned to try. */
export interface CodedScan {
  readonly bytes: Uint8Array
  readonly reader: McuReader
  readonly layout: McuLayout
  readonly starts: Uint32Array
  readonly coefficients: Int16Array
}

/**
 * A bit of a code, what turning it changes DC by behind it, in units, and how much likelier it makes coefficients: a logarithm.
 */
export interface CodeChange {
  readonly bit: number
  readonly change: number
  readonly likelier: number
}

/**
 * Bits of codes that were turned without a trace in the number of MCUs: reading was in step again soon, but took a difference of
 * DC for other coefficients. Where that was so, coefficients are larger than others at their places.
 */
export class CodeChanges {
  readonly #scan: CodedScan
  readonly #allowance: Allowance
  /** By component and place in the block: the usual size of a coefficient. */
  readonly #usual: Float64Array
  readonly #mcu: Int16Array

  constructor(scan: CodedScan, allowance: Allowance) {
    this.#scan = scan
    this.#allowance = allowance
    this.#usual = usualSizes(scan)
    this.#mcu = new Int16Array(scan.layout.mcuLength)
  }

  /**
   * Those in an MCU of the stream that change DC of a component, and no other's, by so many units at least and at most. None
   * where they were asked for too often.
   */
  of(mcu: number, component: number, least: number, most: number): CodeChange[] {
    const { bytes, starts, layout } = this.#scan
    const found: CodeChange[] = []
    const wide = layout.components.length
    const end = Math.min(mcu + MOST_MCUS, starts.length - 1)
    // by MCUs read from that one on: what DC was changed by, and how likely coefficients were
    const sums = new Int32Array((MOST_MCUS + 1) * wide)
    const likelihoods = new Float64Array(MOST_MCUS + 1)
    for (let i = mcu; i < end; i++) {
      if (this.#read(starts[i]) !== starts[i + 1]) return found
      this.#note(sums, likelihoods, i - mcu + 1)
    }
    const turned = new Int32Array((MOST_MCUS + 1) * wide)
    const likely = new Float64Array(MOST_MCUS + 1)
    for (let bit = starts[mcu]; bit < starts[mcu + 1] && this.#allowance.take(); bit++) {
      bytes[bit >> 3] ^= 0x80 >> (bit & 7)
      let at = starts[mcu]
      let read = 0
      while (at >= 0 && mcu + read < end) {
        at = this.#read(at)
        if (at < 0) break
        this.#note(turned, likely, ++read)
        if (at === starts[mcu + read]) break
      }
      bytes[bit >> 3] ^= 0x80 >> (bit & 7)
      if (at < 0 || at !== starts[mcu + read]) continue
      const from = read * wide
      const change = turned[from + component] - sums[from + component]
      if (Math.abs(change) < least || Math.abs(change) > most) continue
      if (layout.components.some((_, i) => i !== component && turned[from + i] !== sums[from + i])) continue
      found.push({ bit, change, likelier: likely[read] - likelihoods[read] })
    }
    return found
  }

  /** Reads the MCU at a bit; returns the bit behind it, or -1. */
  #read(position: number): number {
    this.#mcu.fill(0)
    return this.#scan.reader.read(position, this.#mcu, 0)
  }

  /** Adds what was read last to what was noted of MCUs in front of it. */
  #note(sums: Int32Array, likelihoods: Float64Array, count: number): void {
    const { components, componentOf, blocksPerMcu } = this.#scan.layout
    const wide = components.length
    for (let i = 0; i < wide; i++) sums[count * wide + i] = sums[(count - 1) * wide + i]
    let likelihood = likelihoods[count - 1]
    for (let block = 0; block < blocksPerMcu; block++) {
      const component = componentOf[block]
      const from = block * BLOCK_COEFFICIENTS
      sums[count * wide + component] += this.#mcu[from]
      for (let i = 1; i < BLOCK_COEFFICIENTS; i++) {
        const value = this.#mcu[from + i]
        if (value !== 0) likelihood += likely(value / this.#usual[component * BLOCK_COEFFICIENTS + i])
      }
    }
    likelihoods[count] = likelihood
  }
}

/** The usual size of coefficients, by component and place. */
function usualSizes({ layout, coefficients, starts }: CodedScan): Float64Array {
  const { components, componentOf, blocksPerMcu, mcuLength } = layout
  const usual = new Float64Array(components.length * BLOCK_COEFFICIENTS)
  const stride = Math.max(1, Math.ceil(starts.length / MOST_LEARNED))
  const compared = Math.ceil(starts.length / stride)
  for (let mcu = 0; mcu < starts.length; mcu += stride) {
    for (let block = 0; block < blocksPerMcu; block++) {
      const from = mcu * mcuLength + block * BLOCK_COEFFICIENTS
      const to = componentOf[block] * BLOCK_COEFFICIENTS
      for (let i = 1; i < BLOCK_COEFFICIENTS; i++) usual[to + i] += Math.abs(coefficients[from + i])
    }
  }
  return usual.map((sum, at) => {
    const { h, v } = components[Math.floor(at / BLOCK_COEFFICIENTS)]
    return Math.max(LEAST_USUAL, sum / (compared * h * v))
  })
}

/** The logarithm of how likely a coefficient is that is so many times the usual one. */
function likely(times: number): number {
  return (-(FREEDOM + 1) * Math.log1p((times * times) / FREEDOM)) / 2
}
