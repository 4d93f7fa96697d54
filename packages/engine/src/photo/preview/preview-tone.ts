import { medianOf, NORMAL } from '../statistics.ts'
import type { ComparedStretch } from './reference.ts'

/** By how much the contrast of previews usually differs from the photo's: a part of a level for each. */
const USUAL_DIFFERENCE = 0.02
/** Stretches that tell it at least. */
const LEAST_STRETCHES = 8
const ROUNDS = 4
/** Deviations beyond so many times the usual one count little. */
const FAR_OFF = 2

/**
 * How much more contrast a preview has than the photo, in levels for each level: cameras make previews from another rendering of
 * the scene. Within a section both can be compared whatever the section's own offset is.
 */
export function contrastOf(sections: readonly (readonly ComparedStretch[])[]): number {
  const pairs = sections.flatMap((stretches) => {
    if (stretches.length < 2) return []
    const level = medianOf(Float32Array.from(stretches, (stretch) => stretch.level))
    const offset = medianOf(Float32Array.from(stretches, (stretch) => stretch.offset))
    return stretches.map((stretch) => ({ x: stretch.level - level, y: stretch.offset - offset }))
  })
  if (pairs.length < LEAST_STRETCHES) return 0
  let slope = 0
  for (let round = 0; round < ROUNDS; round++) {
    const residuals = Float32Array.from(pairs, ({ x, y }) => Math.abs(y - slope * x))
    const noise = Math.max(1e-3, NORMAL * medianOf(residuals))
    let square = 0
    let product = 0
    for (const { x, y } of pairs) {
      const far = (y - slope * x) / (FAR_OFF * noise)
      const weight = 1 / (1 + far * far)
      square += weight * x * x
      product += weight * x * y
    }
    // what few and even stretches tell counts as far as it is surer than what is usual
    slope = product / (square + (noise / USUAL_DIFFERENCE) ** 2)
  }
  return slope
}
