import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuSource } from '../../codecs/jpeg/sequential-writer.ts'

/** Values of a coefficient that are not zero, below which they do not tell how widely it spreads. */
const LEAST_VALUES = 20
/** Part of the values that are not zero above which their mean tells more than how many there are. */
const MOSTLY = 0.7

/**
 * How widely each coefficient, in zigzag order, spreads over the blocks of those components that use a quantisation table: the
 * natural logarithm of the scale of a Laplace distribution, in quantisation steps. NaN for DC and for those that too few blocks
 * have.
 */
export function spreadsInSteps(source: McuSource, layout: McuLayout, table: number): Float64Array {
  const components = layout.components.filter((component) => component.table === table)
  const present = new Float64Array(BLOCK_COEFFICIENTS)
  const sums = new Float64Array(BLOCK_COEFFICIENTS)
  for (let position = 0; position < layout.mcuCount; position++) {
    source.select(position)
    const { coefficients, offset } = source
    for (const { firstBlock, h, v } of components) {
      const end = offset + (firstBlock + h * v) * BLOCK_COEFFICIENTS
      for (let at = offset + firstBlock * BLOCK_COEFFICIENTS; at < end; at++) {
        const value = coefficients[at]
        if (value === 0) continue
        present[(at - offset) % BLOCK_COEFFICIENTS]++
        sums[(at - offset) % BLOCK_COEFFICIENTS] += Math.abs(value)
      }
    }
  }
  const blocks = layout.mcuCount * components.reduce((sum, { h, v }) => sum + h * v, 0)
  return Float64Array.from(present, (count, i) => {
    if (i === 0 || count < LEAST_VALUES) return Number.NaN
    // a value is rounded to zero within half a step: of a Laplace distribution e^(-1 / 2b) are beyond
    return Math.log(count > MOSTLY * blocks ? sums[i] / blocks : -0.5 / Math.log(count / blocks))
  })
}
