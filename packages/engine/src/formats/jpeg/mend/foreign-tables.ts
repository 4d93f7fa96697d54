import { dcRange } from '../../../photo/frame/dc-range.ts'
import { agreement, stepByPreview, stepByRange } from '../../../photo/frame/estimate-quantisation.ts'
import type { MendedPicture } from '../../../photo/picture/picture.ts'
import { onlyOf, type Preview } from '../../../photo/preview/preview.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import type { Overruled } from './overrule.ts'
import { salvage } from './salvage.ts'

/**
 * Part of a component's blocks beyond black and white from which on its steps are none of the picture's: with its own there are
 * none.
 */
const BEYOND = 0.002
/**
 * A picture that reaches so many times less far from grey than others do, and a preview that is so many times livelier, speak
 * against its steps.
 */
const DULL = 1.35
const LIVELIER = 1.5
/** A preview that agrees with the picture less than this shows another. */
const OTHER = 0.3

/**
 * Quantisation tables that are another photo's though the scan was read whole with their header: with them blocks become brighter
 * than white or darker than black, or the picture much duller than its preview. All of the header may be another's then, unless
 * its preview shows the picture. Undefined where nothing speaks against the tables.
 */
export function foreignTables(
  bytes: Uint8Array,
  picture: ReadPicture,
  { source, layout }: MendedPicture,
  previews: () => readonly Preview[],
): Overruled | undefined {
  const { frame, quantisation, scans } = picture
  const steps = layout.components.map(({ table }) => quantisation[table]?.[0] ?? 1)
  const { beyond, means } = dcRange(source, layout, steps, frame.precision)
  const isBeyond = beyond.some((part) => part > BEYOND)
  if (!isBeyond && stepByRange(Int32Array.from(means[0])) < DULL * steps[0]) return undefined
  const levels = onlyOf(previews())?.means(layout).planes ?? []
  const told = levels.map((plane, i) => stepByPreview(means[i], plane))
  const alike = levels.length > 0 ? agreement(means[0], levels[0]) : undefined
  const showsOther = alike !== undefined && Math.abs(alike) < OTHER
  const livelier = told.map((step, i) => step !== undefined && step > LIVELIER * steps[i])
  if (!isBeyond && !showsOther && !livelier[0]) return undefined
  // nothing shows that the header is the picture's own where no preview is like it
  const foreign = showsOther || alike === undefined
  const own = told[0] !== undefined && !foreign
  const gone = layout.components.flatMap(({ table }, i) =>
    !own || beyond[i] > BEYOND || livelier[i] ? [table] : [],
  )
  const found = salvage(bytes)
  if (!found?.header || !found.frame || found.start !== scans[0].start) return undefined
  const kept = found.quantisation.map((values, table) => (gone.includes(table) ? undefined : values))
  const reason = isBeyond
    ? 'with the header’s quantisation tables blocks are brighter than white or darker than black'
    : 'with the header’s quantisation tables the picture is duller than it was'
  return {
    found: { ...found, quantisation: kept, quantisationWhole: found.quantisationWhole && !foreign },
    rebuilt: [],
    contradiction: showsOther ? `${reason}, and its preview shows another picture` : reason,
    sizeEstimated: false,
    foreign,
  }
}
