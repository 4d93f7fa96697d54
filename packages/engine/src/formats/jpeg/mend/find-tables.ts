import { BLOCK_COEFFICIENTS } from '../../../codecs/jpeg/mcu-layout.ts'
import { borderJumps } from '../../../photo/frame/border-jumps.ts'
import {
  chrominanceTable,
  type LikelyTable,
  luminanceTables,
  stepByPreview,
  stepByRange,
} from '../../../photo/frame/estimate-quantisation.ts'
import { beyondGamut } from '../../../photo/frame/gamut.ts'
import type { MeanPlanes } from '../../../photo/preview/reference.ts'
import type { TrialReading } from './trial.ts'

/** How far a sample's step of DC may be from what a preview tells, and from what the brightest and darkest values do. */
const AS_TOLD = 1.15
const AS_REACHED = 1.6
/**
 * MCUs without a colour at which a sample's tables are another photo's, and how many times fewer the likeliest steps must then
 * give.
 */
const [MUCH_BEYOND, TIMES_FEWER] = [0.05, 4]
/** By how much jumps must be less with a table that is not the standard's, scaled. */
const UNCOMMON = 1.02
/** Part of a picture's MCUs that may have no colour with the tables of cameras. */
const LITTLE_BEYOND = 0.03

/**
 * Tables for the numbers that have none: a sample's if the picture becomes as bright with them as its preview, or its colours are
 * some, for cameras change them from photo to photo. Else the step of DC is the one that makes it so or, without a preview, reach
 * as far from grey as photos do, and the other steps are those with which blocks continue each other best.
 */
export function findTables(
  quantisation: (Uint16Array | undefined)[],
  lent: readonly (Uint16Array | undefined)[] | undefined,
  trial: TrialReading,
  preview: MeanPlanes | undefined,
): 'sample' | 'fitted' {
  const { components } = trial.layout
  const means = components.map((_, component) => quantisedMeans(trial, component))
  const told = (component: number): number | undefined => {
    const plane = preview?.planes[component]
    return plane && stepByPreview(means[component], plane)
  }
  const reached = stepByRange(Int32Array.from(means[0]))
  const serves = components.every(({ table }, component) => {
    if (quantisation[table]) return true
    const own = lent?.[table]
    const step = told(component)
    if (!own || step !== undefined) return own !== undefined && isNear(own[0], step, AS_TOLD)
    return component > 0 || isNear(own[0], reached, AS_REACHED)
  })
  if (serves && !(preview === undefined && isBeyond(means, components, quantisation, lent, reached))) {
    for (const { table } of components) quantisation[table] ??= lent?.[table]
    return 'sample'
  }
  const [{ table: first }] = components
  const step = quantisation[first]?.[0] ?? told(0) ?? reached
  const likely = luminanceTables(step).filter(
    ({ values, chrominance }) =>
      !chrominance || isInGamut(means, [values[0], chrominance[0], chrominance[0]]),
  )
  const choices = likely.map(({ values }) => values)
  const best = quantisation[first]
    ? nearest(choices, quantisation[first])
    : smoothest(likely, borderJumps(trial.coefficients, trial.layout, 0, trial.count, choices))
  quantisation[first] ??= choices[best]
  for (const { table } of components) {
    if (quantisation[table]) continue
    // previews are duller than photos, if anything: the one of both colours that shows more tells more
    const steps = components.flatMap((other, i) => (other.table === table ? (told(i) ?? []) : []))
    quantisation[table] = chrominanceTable(likely[best], steps.length > 0 ? Math.max(...steps) : undefined)
  }
  return 'fitted'
}

/** Whether with a sample's steps much of the picture has no colour, and with the likeliest it has. */
function isBeyond(
  means: readonly Float32Array[],
  components: TrialReading['layout']['components'],
  own: readonly (Uint16Array | undefined)[],
  lent: readonly (Uint16Array | undefined)[] | undefined,
  likely: number,
): boolean {
  if (components.length !== COLOURS) return false
  const steps = components.map(({ table }) => (own[table] ?? lent?.[table])?.[0] ?? likely)
  const others = components.map(({ table }) => own[table]?.[0] ?? Math.round(likely))
  const beyond = beyondGamut(means, steps)
  return beyond > MUCH_BEYOND && beyondGamut(means, others) * TIMES_FEWER < beyond
}

/** Whether a picture of colours has next to no MCU without one. */
function isInGamut(means: readonly Float32Array[], steps: readonly number[]): boolean {
  return means.length === COLOURS && beyondGamut(means, steps) <= LITTLE_BEYOND
}

/** Luminance and two colour differences. */
const COLOURS = 3

/** The one with the least jumps; tables that are not scaled by quality must be better for it. */
function smoothest(likely: readonly LikelyTable[], jumps: Float64Array): number {
  const rated = likely.map(({ quality }, index) => jumps[index] * (quality === undefined ? UNCOMMON : 1))
  return rated.indexOf(Math.min(...rated))
}

/** Whether a step is the other one within a factor, or within rounding. */
function isNear(step: number, other: number | undefined, factor: number): boolean {
  if (other === undefined) return false
  return Math.abs(step - other) <= 0.5 || Math.max(step / other, other / step) <= factor
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
