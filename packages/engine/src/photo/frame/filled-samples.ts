import { BASIS } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { ZIGZAG } from '../../codecs/jpeg/zigzag.ts'

const SIDE = 8
/** Differences between neighbouring samples across a block. */
const DIFFERENCES = SIDE - 1
/** Half a step of quantisation is what rounding changes at most; a little more for transforms that are not exact. */
const ROUNDING = 0.55
/** Levels of what is not there, as some encoders have it, and below which it is black. */
const GREY = 128
const BLACK = 4
/** Part of the blocks that would differ, were they picture, which may where all are filled; and that with estimated steps. */
const STRAY = 0.02
const STRAY_ESTIMATED = 0.125

/** A picture's luminance, quantised, with DC absolute, and its steps of quantisation; both in zigzag order. */
export interface QuantisedLuminance {
  readonly layout: McuLayout
  readonly coefficients: Int16Array
  readonly steps: ArrayLike<number>
  /** The steps are not the picture's own for sure. */
  readonly estimated: boolean
}

/**
 * Samples at the lower edge of the last MCUs (`down`), or at the right one, by which an encoder filled them up: that repeat the
 * one before (ITU-T T.81 §A.2.4), mirror those before, or are black; and blocks that have only the level of the one before, or
 * are grey. What is equal in front of the transform stays so within rounding, whatever the picture is: none of the blocks may
 * differ by more, where `least` of those one MCU further inside do. 0 where a picture has no detail by which that could be seen.
 */
export function filledSamples(source: QuantisedLuminance, down: boolean, least: number): number {
  const { layout } = source
  const { h, v } = layout.components[0]
  const perMcu = down ? v : h
  const last = (down ? layout.mcuHigh * v : layout.mcuWide * h) - 1
  if (last < 2 * perMcu - 1) return 0
  const sums = repeatSums(source.steps, down)
  let whole = 0
  for (let back = 0; back < perMcu; back++) {
    const own = blocksAt(layout, last - back, down)
    const hasOuter = back + 1 < perMcu
    if (hasOuter && levelled(source, own, blocksAt(layout, last - back - 1, down), down ? h : 1) >= least) {
      whole += SIDE
      continue
    }
    const inner = blocksAt(layout, last - back - perMcu, down)
    const count = filledAtEnd(source, own, inner, sums, least, down)
    if (count === 0) return whole
    whole = back * SIDE + count
    if (count < DIFFERENCES) return whole
  }
  return whole
}

/** Offsets of the luminance blocks of a row, or of a column. */
function blocksAt(layout: McuLayout, line: number, row: boolean): Int32Array {
  const [component] = layout.components
  const length = row ? layout.mcuWide * component.h : layout.mcuHigh * component.v
  return Int32Array.from({ length }, (_, i) =>
    row ? layout.blockOffset(component, i, line) : layout.blockOffset(component, line, i),
  )
}

/**
 * How many blocks have nothing but a level, where those before have more: that of the block before, which is the next inwards or,
 * as encoders write it, the last of its MCU's `blocks` in that line; or all of them are grey. 0 where any has another level, or
 * more.
 */
function levelled(
  { coefficients }: QuantisedLuminance,
  own: Int32Array,
  before: Int32Array,
  blocks: number,
): number {
  let [told, grey, alike] = [0, true, true]
  for (let i = 0; i < own.length; i++) {
    const level = coefficients[own[i]]
    if (!isFlat(coefficients, own[i])) return 0
    if (level !== 0) grey = false
    if (level !== coefficients[before[i]] && level !== coefficients[before[i - (i % blocks) + blocks - 1]])
      alike = false
    if (!isFlat(coefficients, before[i])) told++
  }
  return grey || alike ? told : 0
}

function isFlat(coefficients: Int16Array, offset: number): boolean {
  for (let i = 1; i < BLOCK_COEFFICIENTS; i++) if (coefficients[offset + i] !== 0) return false
  return true
}

/** Samples at the end that fill up a block: what equals the one before or mirrors those before, or is black. */
function filledAtEnd(
  source: QuantisedLuminance,
  own: Int32Array,
  inner: Int32Array,
  sums: DifferenceSums,
  least: number,
  down: boolean,
): number {
  const { steps } = source
  const equal = equalAtEnd(source, own, inner, sums, least)
  // what is black is as much filled as what repeats it
  if (equal > 0 && equal < DIFFERENCES && lastLevel(source, own, down) < BLACK) return equal + 1
  if (equal > 1) return equal
  for (let count = SIDE - 2; count > 0; count--) {
    const mirror = mirrorSums(steps, down, count)
    if (equalAtEnd(source, own, inner, mirror, least) === count) return count
  }
  return equal
}

/** Mean level of the last samples. */
function lastLevel({ coefficients, steps }: QuantisedLuminance, own: Int32Array, down: boolean): number {
  let sum = 0
  for (const offset of own) {
    ZIGZAG.forEach((place, i) => {
      const [across, along] = down ? [place & 7, place >> 3] : [place >> 3, place & 7]
      if (across === 0) sum += coefficients[offset + i] * steps[i] * BASIS[(SIDE - 1) * SIDE + along]
    })
  }
  return GREY + (sum * BASIS[0]) / own.length
}

/** Samples at the end that are equal in all of `own`, where in `least` of those that have detail `inner` ones would not. */
function equalAtEnd(
  { coefficients, estimated }: QuantisedLuminance,
  own: Int32Array,
  inner: Int32Array,
  sums: DifferenceSums,
  least: number,
): number {
  const differing = new Uint32Array(sums.count)
  const usual = new Uint32Array(sums.count)
  for (let i = 0; i < own.length; i++) {
    if (isFlat(coefficients, own[i])) continue
    for (let number = 0; number < sums.count; number++) {
      if (differs(coefficients, own[i], sums, number)) differing[number]++
      if (differs(coefficients, inner[i], sums, number)) usual[number]++
    }
  }
  const stray = estimated ? STRAY_ESTIMATED : STRAY
  let count = 0
  for (let number = 0; number < sums.count; number++) {
    if (differing[number] > stray * usual[number]) break
    if (usual[number] >= least) count = number + 1
  }
  return count
}

/** Whether the `number`th of the sums is more than rounding makes, somewhere across a block. */
function differs(coefficients: Int16Array, offset: number, sums: DifferenceSums, number: number): boolean {
  const { count, weights, most, places } = sums
  for (let across = 0; across < SIDE; across++) {
    const from = (across * count + number) * SIDE
    let sum = 0
    for (let along = 0; along < SIDE; along++)
      sum += weights[from + along] * coefficients[offset + places[across * SIDE + along]]
    if (Math.abs(sum) > most[across * count + number]) return true
  }
  return false
}

interface DifferenceSums {
  readonly count: number
  /** Of each frequency across and pair of samples, for each frequency along: in steps, each sum independent of those before. */
  readonly weights: Float64Array
  /** What rounding makes of each sum at most. */
  readonly most: Float64Array
  /** The place in zigzag order of each frequency across and along. */
  readonly places: Uint8Array
}

/** Sums that are zero, but for rounding, if the last samples equal the one before, from the end on. */
function repeatSums(steps: ArrayLike<number>, down: boolean): DifferenceSums {
  return differenceSums(
    steps,
    down,
    Array.from({ length: DIFFERENCES }, (_, number) => [DIFFERENCES - number, DIFFERENCES - number - 1]),
  )
}

/** Sums that are zero, but for rounding, if the last `count` samples of a block mirror those before. */
function mirrorSums(steps: ArrayLike<number>, down: boolean, count: number): DifferenceSums {
  const real = SIDE - count
  return differenceSums(
    steps,
    down,
    Array.from({ length: count }, (_, i) => [real + i, mirrored(real + i, real)]),
  )
}

/** The sample among the first `real` that one behind them mirrors: the first half makes the second, its first half that one. */
function mirrored(sample: number, real: number): number {
  let at = sample
  while (at >= real) at = 2 ** (Math.floor(Math.log2(at)) + 1) - 1 - at
  return at
}

/** Sums of a block's quantised coefficients that are zero, but for rounding, if its samples are equal by pairs. */
function differenceSums(
  steps: ArrayLike<number>,
  down: boolean,
  pairs: readonly (readonly number[])[],
): DifferenceSums {
  const count = pairs.length
  const weights = new Float64Array(SIDE * count * SIDE)
  const most = new Float64Array(SIDE * count)
  const places = new Uint8Array(BLOCK_COEFFICIENTS)
  ZIGZAG.forEach((place, i) => {
    const [row, column] = [place >> 3, place & 7]
    places[down ? column * SIDE + row : row * SIDE + column] = i
  })
  for (let across = 0; across < SIDE; across++) {
    const found: Float64Array[] = []
    pairs.forEach(([one, other], number) => {
      const sum = Float64Array.from({ length: SIDE }, (_, along) => {
        const step = steps[places[across * SIDE + along]]
        return step * (BASIS[one * SIDE + along] - BASIS[other * SIDE + along])
      })
      for (const earlier of found) {
        const shared = sum.reduce((total, weight, i) => total + weight * earlier[i], 0)
        for (let i = 0; i < SIDE; i++) sum[i] -= shared * earlier[i]
      }
      const length = Math.hypot(...sum)
      const unit = sum.map((weight) => weight / length)
      found.push(unit)
      weights.set(unit, (across * count + number) * SIDE)
      most[across * count + number] = ROUNDING * unit.reduce((total, weight) => total + Math.abs(weight), 0)
    })
  }
  return { count, weights, most, places }
}
