import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { Section } from '../reading/pieces.ts'
import { medianOf } from '../statistics.ts'
import type { Preview } from './preview.ts'

const SAMPLES_ACROSS = 8
/** MCUs that are compared. */
const MOST_COMPARED = 2_000
const LEAST_COMPARED = 100
/** Steps and reach of moving, in samples of the preview. */
const STEPS = [1, 0.5, 0.25]
const REACH = 3
/** A move must make the difference less than this part of what it is without. */
const GAIN = 0.9

/** A preview moved farther than so many samples of its own may have been moved to what is only alike. */
const SURELY_MOVED = 1
/** The difference of the right one of two previews is less than this part of the other's. */
const CLEARLY_NEARER = 0.7

/** A section that has its place. */
export interface PlacedSection extends Section {
  readonly place: number
}

/**
 * How far previews are from what is known of the photo, whatever the levels of its sections are; undefined where too little is.
 */
function comparison(
  sections: readonly PlacedSection[],
  coefficients: Int16Array,
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
): ((preview: Preview) => number) | undefined {
  const total = sections.reduce((sum, { count }) => sum + count, 0)
  const stride = Math.max(1, Math.ceil(total / MOST_COMPARED))
  if (total / stride < LEAST_COMPARED) return undefined
  const { h, v, firstBlock } = layout.components[0]
  const unit = quantisation[0][0] / SAMPLES_ACROSS / (h * v)
  const parts = sections.map(({ first, count, place }) => {
    const positions: number[] = []
    const levels: number[] = []
    for (let i = 0; i < count && place + i < layout.mcuCount; i += stride) {
      let sum = 0
      const at = (first + i) * layout.mcuLength + firstBlock * BLOCK_COEFFICIENTS
      for (let block = 0; block < h * v; block++) sum += coefficients[at + block * BLOCK_COEFFICIENTS]
      positions.push(place + i)
      levels.push(sum * unit)
    }
    return { positions, levels }
  })
  const { mcuWide, mcuPixelsWide, mcuPixelsHigh, width, height } = layout
  return (preview) => {
    let sum = 0
    for (const { positions, levels } of parts) {
      const differences = Float32Array.from(positions, (position, i) => {
        const x = (position % mcuWide) * mcuPixelsWide
        const y = Math.floor(position / mcuWide) * mcuPixelsHigh
        const right = Math.min(1, (x + mcuPixelsWide) / width)
        const bottom = Math.min(1, (y + mcuPixelsHigh) / height)
        return preview.mean(0, x / width, y / height, right, bottom) - levels[i]
      })
      const middle = medianOf(differences.slice())
      for (const difference of differences) sum += Math.abs(difference - middle)
    }
    return sum
  }
}

/** Of previews that may be the photo's the one that shows what is known of it; undefined where that does not tell. */
export function likeliestPreview(
  previews: readonly Preview[],
  sections: readonly PlacedSection[],
  coefficients: Int16Array,
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
): Preview | undefined {
  if (previews.length < 2) return previews[0]
  const differenceOf = comparison(sections, coefficients, layout, quantisation)
  if (!differenceOf) return undefined
  const rated = previews.map((preview) => ({ preview, difference: differenceOf(preview) }))
  rated.sort((a, b) => a.difference - b.difference)
  return rated[0].difference < CLEARLY_NEARER * rated[1].difference ? rated[0].preview : undefined
}

/** The preview moved so that it shows best what is known of the photo: cameras crop and round. */
export function alignPreview(
  preview: Preview,
  sections: readonly PlacedSection[],
  coefficients: Int16Array,
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
): Preview {
  const { x, y } = bestMove(preview, sections, coefficients, layout, quantisation)
  return x === 0 && y === 0 ? preview : preview.moved(x, y)
}

/**
 * The preview as `alignPreview` moves it, and as it is where that was far: a part of the photo tells of little, an even sky of
 * nothing.
 */
export function likelyAlignments(
  preview: Preview,
  sections: readonly PlacedSection[],
  coefficients: Int16Array,
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
): Preview[] {
  const { x, y } = bestMove(preview, sections, coefficients, layout, quantisation)
  if (x === 0 && y === 0) return [preview]
  const moved = preview.moved(x, y)
  return Math.max(Math.abs(x), Math.abs(y)) > SURELY_MOVED ? [moved, preview] : [moved]
}

/**
 * By how many samples of its own a preview must be moved to show best what is known of the photo; not at all where that tells
 * little.
 */
function bestMove(
  preview: Preview,
  sections: readonly PlacedSection[],
  coefficients: Int16Array,
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
): { readonly x: number; readonly y: number } {
  const differenceOf = comparison(sections, coefficients, layout, quantisation)
  if (!differenceOf) return { x: 0, y: 0 }
  const unmoved = differenceOf(preview)
  let best = { x: 0, y: 0, difference: unmoved }
  for (const step of STEPS) {
    const from = best
    const reach = step === 1 ? REACH : 1
    for (let j = -reach; j <= reach; j++) {
      for (let i = -reach; i <= reach; i++) {
        if (i === 0 && j === 0) continue
        const x = from.x + i * step
        const y = from.y + j * step
        const difference = differenceOf(preview.moved(x, y))
        if (difference < best.difference) best = { x, y, difference }
      }
    }
  }
  return best.difference < GAIN * unmoved ? best : { x: 0, y: 0 }
}
