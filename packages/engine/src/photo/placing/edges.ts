import { inverseDctRow } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'

const BLOCK = 8
const LAST_ROW = 7

/**
 * Luminance along the upper and lower edge of each MCU of a stream, in levels without level shift: what neighbours above each
 * other agree in.
 */
export class Edges {
  /** Samples of an edge. */
  readonly width: number
  readonly #top: Float32Array
  readonly #bottom: Float32Array
  /** The mean of each edge. */
  readonly topMean: Float32Array
  readonly bottomMean: Float32Array
  /** How far samples of an edge are from its mean, on average. */
  readonly topDetail: Float32Array
  readonly bottomDetail: Float32Array

  constructor(coefficients: Int16Array, count: number, layout: McuLayout, quantisation: ArrayLike<number>) {
    const { h, v } = layout.components[0]
    const width = BLOCK * h
    this.width = width
    this.#top = new Float32Array(count * width)
    this.#bottom = new Float32Array(count * width)
    this.topMean = new Float32Array(count)
    this.bottomMean = new Float32Array(count)
    this.topDetail = new Float32Array(count)
    this.bottomDetail = new Float32Array(count)
    for (let mcu = 0; mcu < count; mcu++) {
      const from = mcu * layout.mcuLength
      for (let x = 0; x < h; x++) {
        const to = mcu * width + x * BLOCK
        const lower = from + ((v - 1) * h + x) * BLOCK_COEFFICIENTS
        inverseDctRow(coefficients, from + x * BLOCK_COEFFICIENTS, quantisation, 0, this.#top, to)
        inverseDctRow(coefficients, lower, quantisation, LAST_ROW, this.#bottom, to)
      }
      let top = 0
      let bottom = 0
      for (let i = mcu * width; i < (mcu + 1) * width; i++) {
        top += this.#top[i]
        bottom += this.#bottom[i]
      }
      this.topMean[mcu] = top / width
      this.bottomMean[mcu] = bottom / width
      let upper = 0
      let lower = 0
      for (let i = mcu * width; i < (mcu + 1) * width; i++) {
        upper += Math.abs(this.#top[i] - this.topMean[mcu])
        lower += Math.abs(this.#bottom[i] - this.bottomMean[mcu])
      }
      this.topDetail[mcu] = upper / width
      this.bottomDetail[mcu] = lower / width
    }
  }

  /**
   * How far an MCU's upper edge is from another's lower one, in levels: the mean of differences, none counted above `most`, after
   * `offset` is added to the lower MCU.
   */
  mismatch(below: number, above: number, offset: number, most: number): number {
    const { width } = this
    const top = this.#top
    const bottom = this.#bottom
    let at = below * width
    let other = above * width
    let sum = 0
    for (let i = 0; i < width; i++, at++, other++) {
      const difference = Math.abs(top[at] + offset - bottom[other])
      sum += Math.min(difference, most)
    }
    return sum / width
  }
}
