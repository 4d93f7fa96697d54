import { inverseDct } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { MendedScan } from '../scan/mend-scan.ts'
import type { ColouredSection } from './colour.ts'

/** DC is eight times the mean of a block: ITU-T T.81 §A.3.3. */
const DC_SCALE = 8
/** Levels of black and white, as coded: ITU-T T.81 §A.3.1 takes 128 off. */
const [BLACK, WHITE] = [-128, 127]
/** MCUs that are compared, about; the part of them at either end that may be wrong, and MCUs that may have been invented. */
const MOST_COMPARED = 8_192
const MAY_BE_WRONG = 0.001
const INVENTED = 8
/** Levels from black or white at which colour begins to tell less. */
const NEAR = 3

/** Mean levels of an MCU, by component, and the darkest and brightest sample of its first block of luminance. */
interface Compared {
  readonly means: readonly number[]
  readonly darkest: number
  readonly brightest: number
}

/**
 * A scan whose front is gone, at the levels that its picture likely has, for those that are told begin anywhere: luminance midway
 * between black and white, since most photos reach about as near to both, and without colour where it is darkest and brightest,
 * for black and white have none. ITU-T T.871 §7.
 */
export function atLikelyLevels(
  scan: MendedScan,
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
): MendedScan {
  const compared = scan.sections.flatMap((section) => comparedOf(section, scan, layout, quantisation))
  const wrong = Math.floor(MAY_BE_WRONG * compared.length + INVENTED)
  if (compared.length <= 2 * wrong) return scan
  const dark = Float32Array.from(compared, ({ darkest }) => darkest).sort()
  const bright = Float32Array.from(compared, ({ brightest }) => brightest).sort()
  const up = (BLACK + WHITE - dark[wrong] - bright[bright.length - 1 - wrong]) / 2
  const weights = compared.map(({ means: [luminance] }) => {
    const level = luminance + up
    return (NEAR + Math.max(0, Math.min(level - BLACK, WHITE - level))) ** -2
  })
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const added = layout.components.map((_, component) => {
    const grey = compared.reduce((sum, { means }, i) => sum + weights[i] * means[component], 0) / all
    return Math.round(((component === 0 ? up : -grey) * DC_SCALE) / quantisation[component][0])
  })
  const sections = scan.sections.map((section) => ({
    ...section,
    dc: section.dc.map((value, component) => value + added[component]),
  }))
  return { ...scan, sections }
}

/** MCUs of a section, spread evenly over the scan. */
function comparedOf(
  { first, count, dc }: ColouredSection,
  { stream: { coefficients }, sections }: MendedScan,
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
): Compared[] {
  const total = sections.reduce((sum, section) => sum + section.count, 0)
  const stride = Math.max(1, Math.ceil(total / MOST_COMPARED))
  const samples = new Float32Array(BLOCK_COEFFICIENTS)
  return Array.from({ length: Math.floor(count / stride) }, (_, i) => {
    const at = (first + i * stride) * layout.mcuLength
    const means = layout.components.map(({ firstBlock, h, v }, component) => {
      let sum = h * v * dc[component]
      for (let block = firstBlock; block < firstBlock + h * v; block++)
        sum += coefficients[at + block * BLOCK_COEFFICIENTS]
      return (sum * quantisation[component][0]) / DC_SCALE / (h * v)
    })
    inverseDct(coefficients, at, quantisation[0], 0, samples, 0)
    const added = (dc[0] * quantisation[0][0]) / DC_SCALE
    return { means, darkest: Math.min(...samples) + added, brightest: Math.max(...samples) + added }
  })
}
