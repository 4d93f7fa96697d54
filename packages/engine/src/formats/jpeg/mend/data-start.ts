import { UNQUANTISED } from '../../../codecs/jpeg/dct.ts'
import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { type BlockTables, McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import { Continuity } from '../../../photo/continuity.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'

/** Bytes that may lie between the last table and the data where the scan header was overwritten: its length for 3, 1 and 4 components, or it was cut out. */
const LOST_HEADER_BYTES = [0, 14, 10, 16]
/** MCUs read to tell where the data begin. */
const TRIAL_MCUS = 400
const BYTE = 8

/** By how much the first two MCUs must go together better than with any other start. */
const CLEARLY = 0.5

/** Where data begin, and whether nothing speaks for another place. */
export interface DataStart {
  readonly start: number
  readonly sure: boolean
}

/**
 * Where data begin whose scan header is gone, between `start` and `end`: where exactly the frame's MCUs can be read, else where most can. What
 * stands in place of a header may fall into step within the first MCU, too: then that does not go with the second.
 */
export function dataStart(
  bytes: Uint8Array,
  start: number,
  end: number,
  frame: FrameHeader,
  tables: readonly BlockTables[],
): DataStart {
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const data = entropyData(bytes, start, end, () => false)
  const reader = new McuReader(data.bytes, data.length, tables)
  const continuity = new Continuity(
    layout,
    layout.components.map(() => UNQUANTISED),
  )
  const mcu = new Int16Array(layout.mcuLength)
  const other = new Int16Array(layout.mcuLength)
  const restarts = data.restarts.count > 0
  /** MCUs that can be read from a bit on, and the bit behind them. */
  const read = (from: number, most: number): [number, number] => {
    let at = from
    for (let count = 0; count < most; count++) {
      mcu.fill(0)
      const next = reader.read(at, mcu, 0)
      if (next < 0) return [count, at]
      at = next
    }
    return [most, at]
  }
  const jumpAt = (from: number): number => {
    const [, second] = read(from, 1)
    other.fill(0)
    reader.read(second, other, 0)
    return continuity.jump(mcu, other)
  }
  let best = 0
  let most = -1
  const exact: { skipped: number; jump: number }[] = []
  for (const skipped of LOST_HEADER_BYTES) {
    const [count, at] = read(skipped * BYTE, Math.min(TRIAL_MCUS, layout.mcuCount))
    if (count > most) {
      most = count
      best = skipped
    }
    if (restarts || count < Math.min(TRIAL_MCUS, layout.mcuCount)) continue
    const [rest, last] = read(at, layout.mcuCount - count + 1)
    if (count + rest === layout.mcuCount && data.length * BYTE - last < BYTE)
      exact.push({ skipped, jump: jumpAt(skipped * BYTE) })
  }
  if (exact.length === 0) return { start: start + best, sure: false }
  // no data begin with so many equal bytes
  const emptied = exact.find(({ skipped }) => skipped > 0 && isEven(bytes.subarray(start, start + skipped)))
  exact.sort((a, b) => a.jump - b.jump)
  const [first, second] = exact
  const clear = !second || first.jump < CLEARLY * second.jump
  return { start: start + (emptied ?? first).skipped, sure: emptied !== undefined || clear }
}

function isEven(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === bytes[0])
}
