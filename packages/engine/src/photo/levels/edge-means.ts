import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'

/** Where the coefficients that vary down a block only stand in zigzag order. */
const DOWN = [0, 2, 3, 9, 10, 20, 21, 35]
/** What each adds to the mean of a block's first row, and to that of its last one. */
const FIRST_ROW = DOWN.map((_, v) => (v === 0 ? 1 / 8 : Math.cos((v * Math.PI) / 16) / (4 * Math.SQRT2)))
const LAST_ROW = FIRST_ROW.map((value, v) => (v % 2 === 0 ? value : -value))

/** Mean levels of a component along the upper and lower edge of each MCU of a stream. */
export interface EdgeMeans {
  readonly top: Float32Array
  readonly bottom: Float32Array
}

export function edgeMeans(
  coefficients: Int16Array,
  count: number,
  layout: McuLayout,
  component: number,
  quantisation: ArrayLike<number>,
): EdgeMeans {
  const { h, v, firstBlock } = layout.components[component]
  const shareOf = (row: readonly number[]): Float64Array =>
    Float64Array.from(row, (share, i) => (share * quantisation[DOWN[i]]) / h)
  const first = shareOf(FIRST_ROW)
  const last = shareOf(LAST_ROW)
  const top = new Float32Array(count)
  const bottom = new Float32Array(count)
  for (let mcu = 0; mcu < count; mcu++) {
    const from = mcu * layout.mcuLength + firstBlock * BLOCK_COEFFICIENTS
    let above = 0
    let below = 0
    for (let x = 0; x < h; x++) {
      const upper = from + x * BLOCK_COEFFICIENTS
      const lower = from + ((v - 1) * h + x) * BLOCK_COEFFICIENTS
      for (let i = 0; i < DOWN.length; i++) {
        above += coefficients[upper + DOWN[i]] * first[i]
        below += coefficients[lower + DOWN[i]] * last[i]
      }
    }
    top[mcu] = above
    bottom[mcu] = below
  }
  return { top, bottom }
}
