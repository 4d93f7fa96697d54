import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { type BlockTables, McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import { isRestart } from '../../../syntax/jpeg-markers/markers.ts'

/** Bytes that may lie between the last table and the data where the scan header was overwritten: its length for 3, 1 and 4 components, or it was cut out. */
const LOST_HEADER_BYTES = [0, 14, 10, 16]
/** MCUs read to tell where the data begin. */
const TRIAL_MCUS = 400
const BYTE = 8

/** Where data begin whose scan header is gone, between `start` and `end`: where exactly the frame's MCUs can be read, else where most can. */
export function dataStart(
  bytes: Uint8Array,
  start: number,
  end: number,
  frame: FrameHeader,
  tables: readonly BlockTables[],
): number {
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const data = entropyData(bytes, start, end, () => false)
  const reader = new McuReader(data.bytes, data.length, tables)
  const mcu = new Int16Array(layout.mcuLength)
  const restarts = data.markers.some(({ marker }) => isRestart(marker))
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
  let best = 0
  let most = -1
  for (const skipped of LOST_HEADER_BYTES) {
    // what stood there is taken for data: none of its bytes is stuffed, or the header survived
    const [count, at] = read(skipped * BYTE, Math.min(TRIAL_MCUS, layout.mcuCount))
    if (count > most) {
      most = count
      best = skipped
    }
    if (restarts || count < TRIAL_MCUS) continue
    const [rest, last] = read(at, layout.mcuCount - count + 1)
    if (count + rest === layout.mcuCount && data.length * BYTE - last < BYTE) return start + skipped
  }
  return start + best
}
