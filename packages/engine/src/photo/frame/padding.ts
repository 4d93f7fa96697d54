import { inverseDct } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import { filledSamples, type QuantisedLuminance } from './filled-samples.ts'
import { RATIOS } from './ratios.ts'

const BLOCK = 8
/** Blocks by which padding must show, and those that are enough at one edge where the other has some. */
const EVIDENCE = 8
const MORE_EVIDENCE = 2
/** Samples by which a picture may end in equal ones of its own. */
const ALIKE = 2
/** MCUs along an edge that must be looked at, and steps between samples, in levels, that tell something. */
const LEAST_MCUS = 4
const LEAST_STEP = 0.3
/**
 * Times the usual step that tell of something else than the picture, and samples that the border may seem to be off by
 * quantisation.
 */
const FOREIGN = 8
const FOREIGN_OFF = 1

/**
 * The size of a picture of which only its MCUs are known, all of them: without what fills up the last ones.
 */
export function withoutPadding(source: QuantisedLuminance): { width: number; height: number } {
  const { layout } = source
  const full = { width: layout.mcuWide * layout.mcuPixelsWide, height: layout.mcuHigh * layout.mcuPixelsHigh }
  const cut = withoutForeign(full, source)
  if (cut) return cut
  const across = filledSamples(source, false, EVIDENCE)
  const down = filledSamples(source, true, EVIDENCE)
  const right = down > 0 ? filledSamples(source, false, MORE_EVIDENCE) : across
  const bottom = across > 0 ? filledSamples(source, true, MORE_EVIDENCE) : down
  const width = full.width - right
  const height = full.height - bottom
  // a picture of common proportions that ends in samples alike is more usual than one that is cut so little short of them
  for (const [x, y] of RATIOS) {
    const high = (width * y) / x
    if (bottom > 0 && isLittleMore(high, height)) return { width, height: high }
    const wide = (height * x) / y
    if (right > 0 && isLittleMore(wide, width)) return { width: wide, height }
  }
  return { width, height }
}

function isLittleMore(wanted: number, found: number): boolean {
  return Number.isInteger(wanted) && wanted >= found && wanted <= found + ALIKE
}

/**
 * The size of common proportions at whose edge something else than the picture begins, as cameras that code more rows than they
 * have leave there; undefined where there is none such.
 */
function withoutForeign(
  { width, height }: { readonly width: number; readonly height: number },
  source: QuantisedLuminance,
): { width: number; height: number } | undefined {
  const right = foreignSamples(source, false)
  const bottom = foreignSamples(source, true)
  for (const [across, down] of RATIOS) {
    const high = (width * down) / across
    if (bottom > 0 && isNear(high, height - bottom)) return { width, height: high }
    const wide = (height * across) / down
    if (right > 0 && isNear(wide, width - right)) return { width: wide, height }
  }
  return undefined
}

function isNear(wanted: number, border: number): boolean {
  return Number.isInteger(wanted) && Math.abs(wanted - border) <= FOREIGN_OFF
}

/**
 * Samples at the lower or right end of the last MCUs behind the first step that is too large for the picture; 0 where there is
 * none.
 */
function foreignSamples(source: QuantisedLuminance, down: boolean): number {
  const { mcuWide, mcuHigh } = source.layout
  const [count, lines, step, line] = down ? [mcuWide, mcuHigh, 1, mcuWide] : [mcuHigh, mcuWide, mcuWide, 1]
  if (count < LEAST_MCUS || lines < 2) return 0
  const mcus = (at: number): number[] => Array.from({ length: count }, (_, i) => at * line + i * step)
  const own = stepsOf(source, mcus(lines - 1), down)
  const usual = stepsOf(source, mcus(lines - 2), down)
  const inner = usual.reduce((sum, value) => sum + value, 0) / usual.length
  if (inner < LEAST_STEP) return 0
  const first = own.findIndex((value, i) => value > FOREIGN * Math.max(LEAST_STEP, usual[i]))
  return first < 0 ? 0 : own.length - first
}

/** Mean steps from each sample to the next within MCUs, downwards or to the right. */
function stepsOf(
  { layout, coefficients, steps: quantisation }: QuantisedLuminance,
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
      inverseDct(coefficients, at, quantisation, 0, block, 0)
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
