import { BLOCK_COEFFICIENTS, type LayoutComponent, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { BandReader } from '../../codecs/jpeg/progressive-readers.ts'
import type { ScanHeader } from '../../syntax/jpeg-markers/scan-header.ts'
import { BandBorders, BORDER_SIGNS } from './band-borders.ts'
import type { Line } from './read-line.ts'

/** What a coefficient of the slowest variation is of the difference of DC of the blocks on either side, ITU-T T.81 §K.8.1. */
const OF_DIFFERENCE = 1.13885 / 8
/** How much detail a block has is compared in steps of so many for each doubling. */
const PER_DOUBLING = 3
/** Kinds of surroundings by how much detail they have. */
const KINDS = 48
/** Signs of how much detail there is, of borders, and of slopes where the band has any. */
const DETAILS = 2
const SLOPES = 2
const WITHOUT_SLOPES = DETAILS + BORDER_SIGNS

/** What tells at which blocks of a component a band of AC coefficients belongs. */
export interface BandSigns {
  /** Of each block that was read, and what they would be at each block of the component. */
  readonly told: Float32Array
  readonly wanted: Float32Array
  readonly count: number
}

/**
 * How much detail there is: where DC varies or another band has some there is more, and what is usual is learned from blocks that
 * lie where counting from either end puts them. How levels step at borders: by what is known of blocks, and the other way by what
 * is right of the band. Slopes across and down, which DC of the blocks around tells, too.
 */
export function bandSigns(
  line: Line,
  reader: BandReader,
  { first, last, low }: ScanHeader,
  layout: McuLayout,
  component: LayoutComponent,
  quantisation: ArrayLike<number>,
  coefficients: Int16Array,
): BandSigns {
  const { blocksWide: wide, blocksHigh: high } = component
  const total = wide * high
  const size = first <= SLOPES ? WITHOUT_SLOPES + SLOPES : WITHOUT_SLOPES
  const told = new Float32Array(line.count * size)
  const own = new BandBorders(line.count)
  const block = new Int16Array(BLOCK_COEFFICIENTS)
  const detail = (from: ArrayLike<number>, at: number, inBand: boolean): number => {
    let sum = 0
    for (let i = 1; i < BLOCK_COEFFICIENTS; i++)
      if (i >= first && i <= last === inBand) sum += Math.abs(from[at + i]) * quantisation[i]
    return PER_DOUBLING * Math.log2(1 + sum)
  }
  for (let unit = 0; unit < line.count; unit++) {
    block.fill(0)
    if (line.bits[unit] >= 0) reader.read(line.bits[unit], block, 0)
    const at = unit * size
    told.fill(detail(block, 0, true), at, at + DETAILS)
    own.set(unit, block, 0, quantisation)
    own.steps(unit, wide, 1, told, at + DETAILS)
    for (let i = 1; i <= SLOPES && i >= first && i <= last; i++)
      told[at + WITHOUT_SLOPES + i - 1] = block[i] / (1 << low)
  }
  const dc = new Float32Array(total)
  const other = new Float32Array(total)
  for (let place = 0; place < total; place++) {
    const at = layout.blockOffset(component, place % wide, Math.floor(place / wide))
    dc[place] = coefficients[at] * quantisation[0]
    other[place] = detail(coefficients, at, false)
  }
  const wanted = new Float32Array(total * size)
  const known = new BandBorders(total)
  const varied = new Float32Array(total)
  for (let place = 0; place < total; place++) {
    const column = place % wide
    const left = dc[column > 0 ? place - 1 : place]
    const right = dc[column < wide - 1 ? place + 1 : place]
    const above = dc[place >= wide ? place - wide : place]
    const below = dc[place + wide < total ? place + wide : place]
    const at = place * size
    const offset = layout.blockOffset(component, column, Math.floor(place / wide))
    known.set(place, coefficients, offset, quantisation)
    known.steps(place, wide, -1, wanted, at + DETAILS)
    if (column === 0) wanted.fill(0, at + DETAILS, at + DETAILS + BORDER_SIGNS / 2)
    // what this band does not hold tells nothing, nor what is less than a step of it
    const across = (OF_DIFFERENCE * (left - right)) / (quantisation[1] << low)
    const down = (OF_DIFFERENCE * (above - below)) / (quantisation[2] << low)
    if (first <= 1) wanted[at + WITHOUT_SLOPES] = Math.trunc(across)
    if (first <= 2 && last >= 2) wanted[at + WITHOUT_SLOPES + 1] = Math.trunc(down)
    const off = [left, right, above, below].reduce((sum, value) => sum + Math.abs(value - dc[place]), 0)
    varied[place] = PER_DOUBLING * Math.log2(1 + off)
  }
  learn(told, 0, size, varied, wanted, line, total)
  learn(told, 1, size, other, wanted, line, total)
  return { told, wanted, count: size }
}

/** How much detail is usual where surroundings have so much. */
function learn(
  told: Float32Array,
  sign: number,
  size: number,
  around: Float32Array,
  wanted: Float32Array,
  { count, starts, doubtful }: Line,
  total: number,
): void {
  const sums = new Float64Array(KINDS)
  const counts = new Float64Array(KINDS)
  const kindOf = (place: number): number => Math.min(KINDS - 1, Math.round(around[place]))
  // where nothing tells which end what was read belongs to, each half is taken to belong to its own
  const breaks = [...starts.slice(1), ...doubtful].sort((a, b) => a - b)
  const head = breaks[0] ?? count / 2
  const tail = breaks.at(-1) ?? head
  for (let unit = 0; unit < count; unit++) {
    if (unit >= head && unit < tail) continue
    const place = unit < head ? unit : unit + total - count
    if (place < 0 || place >= total) continue
    sums[kindOf(place)] += told[unit * size + sign]
    counts[kindOf(place)]++
  }
  for (let place = 0; place < total; place++) {
    const kind = kindOf(place)
    wanted[place * size + sign] = counts[kind] === 0 ? 0 : sums[kind] / counts[kind]
  }
}
