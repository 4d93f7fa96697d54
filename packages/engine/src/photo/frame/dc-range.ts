import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuSource } from '../../codecs/jpeg/sequential-writer.ts'

/** What DC of a picture reaches. */
export interface DcRange {
  /** For each component the part of its blocks, 0 to 1, of which the mean is brighter or darker than samples can be. */
  readonly beyond: readonly number[]
  /** For each component its mean DC in each MCU, in quantised units. */
  readonly means: readonly Float32Array[]
}

/**
 * How far DC reaches with given steps, in samples of `precision` bits: of a block it is eight times the mean of its samples,
 * ITU-T T.81 §A.3.3, and rounding adds half a step at most, so a picture with its own tables has nothing beyond.
 */
export function dcRange(
  source: McuSource,
  layout: McuLayout,
  steps: readonly number[],
  precision: number,
): DcRange {
  const { components, mcuCount } = layout
  const most = steps.map((step) => 2 ** (precision + 2) / step + 1)
  const beyond = components.map(() => 0)
  const means = components.map(() => new Float32Array(mcuCount))
  for (let position = 0; position < mcuCount; position++) {
    source.select(position)
    const { coefficients, offset, dc } = source
    components.forEach(({ firstBlock, h, v }, component) => {
      let sum = 0
      for (let block = firstBlock; block < firstBlock + h * v; block++) {
        const value = coefficients[offset + block * BLOCK_COEFFICIENTS] + dc[component]
        if (Math.abs(value) > most[component]) beyond[component]++
        sum += value
      }
      means[component][position] = sum / (h * v)
    })
  }
  return { beyond: beyond.map((count, i) => count / (mcuCount * components[i].h * components[i].v)), means }
}
