import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { type BlockTables, McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { FrameComponent } from '../../syntax/jpeg-markers/frame.ts'
import { InnerJumps } from './inner-jumps.ts'

/** Tables of each component of a picture, undefined where there are none. */
export type TablesOf = (component: number) => BlockTables | undefined

const BYTE = 8
/** Intervals whose lengths must agree. */
const LEAST_INTERVALS = 3
/** MCUs that are read at most of a scan whose size is not known. */
const MOST_MCUS = 4_000_000

/** What can be read of a scan whose size is not known, with one sampling. */
export interface Reading {
  readonly components: readonly FrameComponent[]
  /** The bit with which reading began. */
  readonly from: number
  /** MCUs read without a break, and the bit behind them. */
  readonly count: number
  readonly bits: number
  /** The data ended with the last of them. */
  readonly whole: boolean
  readonly interval: number
  /** Luminance DC of each, absolute within a restart interval. */
  readonly dc: Int32Array
  /** Mean jump between neighbouring luminance blocks of an MCU, as this sampling has them. */
  readonly jump: number
}

/**
 * Reads as far as can be from a bit on, the start of a restart interval where there are some. Undefined without tables for it.
 */
export function readWith(
  data: EntropyData,
  components: readonly FrameComponent[],
  tablesOf: TablesOf,
  from = 0,
): Reading | undefined {
  const reader = readerOf(data, components, tablesOf)
  if (!reader) return undefined
  const layout = new McuLayout(BYTE, BYTE, components)
  const { restarts } = data
  const mcu = new Int16Array(layout.mcuLength)
  const jumps = new InnerJumps(components[0])
  let dc = new Int32Array(1 << 14)
  let count = 0
  let at = from
  let interval = 0
  for (let number = 0; number <= restarts.count; number++) {
    let predicted = 0
    let inside = 0
    const end = BYTE * (number < restarts.count ? restarts.at(number) : data.length)
    if (end <= from) continue
    reader.end = end
    while (end - at >= BYTE && count < MOST_MCUS) {
      mcu.fill(0)
      const next = reader.read(at, mcu, 0)
      if (next < 0) return { components, from, count, bits: at, whole: false, interval, dc, jump: jumps.mean }
      if (components.length > 1) jumps.add(mcu)
      const blocks = components.length === 1 ? 1 : components[0].h * components[0].v
      let sum = 0
      for (let block = 0; block < blocks; block++) {
        predicted += mcu[block * BLOCK_COEFFICIENTS]
        sum += predicted
      }
      if (count === dc.length) {
        const grown = new Int32Array(2 * dc.length)
        grown.set(dc)
        dc = grown
      }
      dc[count++] = sum / blocks
      inside++
      at = next
    }
    if (restarts.count > 0) {
      if (interval === 0) interval = inside
      else if (inside !== interval && number < restarts.count) {
        // a wrong sampling counts another number in each
        return {
          components,
          from,
          count,
          bits: number < LEAST_INTERVALS ? 0 : at,
          whole: false,
          interval,
          dc,
          jump: jumps.mean,
        }
      }
    }
    at = end
  }
  return { components, from, count, bits: at, whole: true, interval, dc, jump: jumps.mean }
}

/**
 * Mean difference of luminance between MCUs a row of `wide` apart; what stands at the far ends of the scale counts as any other.
 */
export function rowDifference({ dc, count }: Reading, wide: number): number {
  if (count <= wide) return Number.POSITIVE_INFINITY
  let sum = 0
  for (let i = wide; i < count; i++) sum += Math.abs(dc[i] - dc[i - wide])
  return sum / (count - wide)
}

/** Whether rows of that width continue each other better than rows a little narrower and wider. */
export function continues(reading: Reading, wide: number): boolean {
  if (reading.count < 3 * wide) return true
  const own = rowDifference(reading, wide)
  return own <= rowDifference(reading, wide - 1) && own <= rowDifference(reading, wide + 1)
}

/** A reader of MCUs of a sampling; undefined without tables for it. */
export function readerOf(
  data: EntropyData,
  components: readonly FrameComponent[],
  tablesOf: TablesOf,
): McuReader | undefined {
  // the layout's shape does not depend on the size
  const layout = new McuLayout(BYTE, BYTE, components)
  const tables = Array.from(layout.componentOf, (component) => tablesOf(component)).filter(
    (entry) => entry !== undefined,
  )
  return tables.length < layout.blocksPerMcu ? undefined : new McuReader(data.bytes, data.length, tables)
}
