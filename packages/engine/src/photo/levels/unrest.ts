import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { EdgeMeans } from './edge-means.ts'

const BLOCK = 8
/** Coefficients of a block, in zigzag order, that tell how restless its edges are. */
const LOW_DETAIL = 10

/** Levels of coarse detail of a component in each MCU of the stream. */
export function unrestOf(
  coefficients: Int16Array,
  means: readonly EdgeMeans[],
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
  component: number,
): Float32Array {
  const { h, v, firstBlock } = layout.components[component]
  const steps = quantisation[component]
  const unrest = new Float32Array(means[component].top.length)
  for (let mcu = 0; mcu < unrest.length; mcu++) {
    let at = mcu * layout.mcuLength + firstBlock * BLOCK_COEFFICIENTS
    let sum = 0
    for (let block = 0; block < h * v; block++, at += BLOCK_COEFFICIENTS) {
      for (let i = 1; i < LOW_DETAIL; i++) sum += Math.abs(coefficients[at + i]) * steps[i]
    }
    unrest[mcu] = sum / (BLOCK * h * v)
  }
  return unrest
}
