import { BLOCK_COEFFICIENTS } from '../../../codecs/jpeg/mcu-layout.ts'
import {
  chrominanceTable,
  luminanceTables,
  stepByPreview,
  stepByRange,
} from '../../../photo/estimate-quantisation.ts'
import type { MeanPlanes } from '../../../photo/reference.ts'
import { smoothestTable } from '../../../photo/smoothest-table.ts'
import type { TrialReading } from './trial.ts'

/**
 * Tables for the numbers that have none. The step of DC is the one that makes the picture as bright as its preview or, without one, reach as
 * far from grey as photos do; the other steps are those with which blocks continue each other best.
 */
export function estimateTables(
  quantisation: (Uint16Array | undefined)[],
  trial: TrialReading,
  preview: MeanPlanes | undefined,
): void {
  const { components } = trial.layout
  const means = components.map((_, component) => quantisedMeans(trial, component))
  const told = (component: number): number | undefined => {
    const plane = preview?.planes[component]
    return plane && stepByPreview(means[component], plane)
  }
  const [{ table: first }] = components
  const step = quantisation[first]?.[0] ?? told(0) ?? stepByRange(Int32Array.from(means[0]))
  const likely = luminanceTables(step)
  const choices = likely.map(({ values }) => values)
  const best = quantisation[first]
    ? nearest(choices, quantisation[first])
    : smoothestTable(trial.coefficients, trial.layout, 0, trial.count, choices)
  quantisation[first] ??= choices[best]
  components.forEach(({ table }, component) => {
    quantisation[table] ??= chrominanceTable(likely[best], told(component))
  })
}

/** The one of several tables that is nearest to a known one. */
function nearest(choices: readonly Uint16Array[], known: Uint16Array): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  choices.forEach((values, index) => {
    const off = values.reduce((sum, value, i) => sum + Math.abs(Math.log(value / known[i])), 0)
    if (off < least) {
      least = off
      best = index
    }
  })
  return best
}

/** Mean quantised DC of each MCU that was read. */
function quantisedMeans({ layout, coefficients, count }: TrialReading, component: number): Float32Array {
  const { firstBlock, h, v } = layout.components[component]
  return Float32Array.from({ length: count }, (_, mcu) => {
    let sum = 0
    for (let block = firstBlock; block < firstBlock + h * v; block++)
      sum += coefficients[mcu * layout.mcuLength + block * BLOCK_COEFFICIENTS]
    return sum / (h * v)
  })
}
