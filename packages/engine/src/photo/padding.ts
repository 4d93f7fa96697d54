import { inverseDct, UNQUANTISED } from '../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import { RATIOS } from './ratios.ts'

const BLOCK = 8
/** What is left of the usual step between samples in blocks that only repeat one, and at the end of one that does from its middle on. */
const EVEN = 0.05
const REPEATED = 0.5
/** Samples of padding that a smooth edge may be taken for: what lenses blur and darken. Cameras' sizes leave none or more. */
const LIKE_BLUR = 3
/** MCUs along an edge that must be looked at, and steps between samples, in levels, that tell something. */
const LEAST_MCUS = 4
const LEAST_STEP = 0.3
/** Times the usual step that tell of something else than the picture, and samples that the border may seem to be off by quantisation. */
const FOREIGN = 8
const FOREIGN_OFF = 1

interface LuminanceSource {
  readonly layout: McuLayout
  readonly coefficients: Int16Array
}

/** The size of a picture of which only its MCUs are known, all of them: without what repeats the last column and row. */
export function withoutPadding(
  layout: McuLayout,
  coefficients: Int16Array,
): { width: number; height: number } {
  const full = { width: layout.mcuWide * layout.mcuPixelsWide, height: layout.mcuHigh * layout.mcuPixelsHigh }
  const edges = paddingOf({ layout, coefficients })
  const [right, bottom] = [edges.right, edges.bottom].map(({ repeated: count }) =>
    count > LIKE_BLUR ? count : 0,
  )
  const cut = withoutForeign(full, edges)
  if (cut) return cut
  const width = full.width - right
  const height = full.height - bottom
  // a size of common proportions is seldom a sample off
  for (const [across, down] of RATIOS) {
    const ratio = across / down
    if (bottom > 0 && Math.abs(width / ratio - height) <= 1 && Number.isInteger(width / ratio))
      return { width, height: width / ratio }
    if (right > 0 && Math.abs(height * ratio - width) <= 1 && Number.isInteger(height * ratio))
      return { width: height * ratio, height }
  }
  return { width, height }
}

/**
 * The size of common proportions at whose edge something else than the picture begins, as cameras that code more rows than they have
 * leave there; undefined where there is none such.
 */
function withoutForeign(
  { width, height }: { readonly width: number; readonly height: number },
  { right, bottom }: { readonly right: EdgeOfPicture; readonly bottom: EdgeOfPicture },
): { width: number; height: number } | undefined {
  for (const [across, down] of RATIOS) {
    const high = (width * down) / across
    if (isNear(high, height - bottom.foreign, bottom)) return { width, height: high }
    const wide = (height * across) / down
    if (isNear(wide, width - right.foreign, right)) return { width: wide, height }
  }
  return undefined
}

function isNear(wanted: number, border: number, { foreign }: EdgeOfPicture): boolean {
  return foreign > 0 && Number.isInteger(wanted) && Math.abs(wanted - border) <= FOREIGN_OFF
}

/** Samples at the far end of the last MCUs. */
interface EdgeOfPicture {
  /** Those in which nothing changes any more. */
  readonly repeated: number
  /** Those behind the first step that is too large for the picture; 0 where there is none. */
  readonly foreign: number
}

/**
 * Samples at the right and lower edge of the last MCUs that are no picture: encoders repeat the last column and row to fill them,
 * ITU-T T.81 §A.2.4. Steps of quantisation need not be known: sums of what is not there are zero with any.
 */
function paddingOf(source: LuminanceSource): {
  readonly right: EdgeOfPicture
  readonly bottom: EdgeOfPicture
} {
  const { mcuWide, mcuHigh } = source.layout
  const along = (first: number, step: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => first + i * step)
  const bottom = edgeOf(
    source,
    along((mcuHigh - 1) * mcuWide, 1, mcuWide),
    along((mcuHigh - 2) * mcuWide, 1, mcuWide),
    true,
  )
  const right = edgeOf(
    source,
    along(mcuWide - 1, mcuWide, mcuHigh),
    along(mcuWide - 2, mcuWide, mcuHigh),
    false,
  )
  return { right, bottom }
}

/** What stands at the far end of MCUs, by the steps between samples in those beside them. */
function edgeOf(
  source: LuminanceSource,
  edge: readonly number[],
  beside: readonly number[],
  down: boolean,
): EdgeOfPicture {
  const nothing = { repeated: 0, foreign: 0 }
  if (edge.length < LEAST_MCUS || beside.some((mcu) => mcu < 0)) return nothing
  const own = stepsOf(source, edge, down)
  const usual = stepsOf(source, beside, down)
  const inner = usual.reduce((sum, step) => sum + step, 0) / usual.length
  if (inner < LEAST_STEP) return nothing
  const left = own.map((step, i) => step / Math.max(LEAST_STEP, usual[i]))
  const first = left.findIndex((part) => part > FOREIGN)
  return { repeated: repeated(left), foreign: first < 0 ? 0 : left.length - first }
}

/** Samples at the far end in which nothing changes any more, by what is left of the usual steps, while it does in those beside them. */
function repeated(left: readonly number[]): number {
  let count = 0
  for (let last = left.length - 1; last > 0; last -= BLOCK) {
    const block = left.slice(last - BLOCK + 2, last + 1)
    if (block.every((step) => step < EVEN)) {
      count += BLOCK
      continue
    }
    if (left[last] > REPEATED) return count
    // quantisation makes ripples of what is even in a part of a block
    const ripple = (1 + left[last]) / 2
    let part = 0
    for (let i = block.length - 1; i >= 0 && block[i] < ripple; i--) part++
    // a block that is smooth all through need not repeat anything
    return part === block.length ? count : count + part
  }
  return 0
}

/** Mean steps from each sample to the next within MCUs, downwards or to the right. */
function stepsOf(
  { layout, coefficients }: LuminanceSource,
  mcus: readonly number[],
  down: boolean,
): number[] {
  const { h, v, firstBlock } = layout.components[0]
  const across = BLOCK * h
  const high = BLOCK * v
  const samples = new Float32Array(across * high)
  const block = new Float32Array(BLOCK_COEFFICIENTS)
  const length = down ? high : across
  const steps = new Array<number>(length - 1).fill(0)
  for (const mcu of mcus) {
    for (let i = 0; i < h * v; i++) {
      const at = mcu * layout.mcuLength + (firstBlock + i) * BLOCK_COEFFICIENTS
      inverseDct(coefficients, at, UNQUANTISED, 0, block, 0)
      const from = Math.floor(i / h) * BLOCK * across + (i % h) * BLOCK
      for (let y = 0; y < BLOCK; y++)
        samples.set(block.subarray(y * BLOCK, (y + 1) * BLOCK), from + y * across)
    }
    for (let i = 0; i + 1 < length; i++) {
      const others = down ? across : high
      let sum = 0
      for (let j = 0; j < others; j++) {
        const at = down ? i * across + j : j * across + i
        sum += Math.abs(samples[at + (down ? across : 1)] - samples[at])
      }
      steps[i] += sum / others
    }
  }
  return steps.map((step) => step / mcus.length)
}
