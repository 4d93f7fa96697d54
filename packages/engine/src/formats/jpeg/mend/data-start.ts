import { UNQUANTISED } from '../../../codecs/jpeg/dct.ts'
import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { type BlockTables, McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import { Continuity } from '../../../photo/reading/continuity.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import { SOS } from '../../../syntax/jpeg-markers/markers.ts'
import { writeScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import { writeSegment } from '../../../syntax/jpeg-markers/segments.ts'

const MARKER_BYTES = 2
/**
 * Bytes of a scan header that must be as written, as its marker and length are, those that number tables left out: that data
 * begin so by chance is one case in ten million.
 */
const LEAST_ALIKE = 4
/** MCUs read to tell where the data begin. */
const TRIAL_MCUS = 400
const BYTE = 8

/** By how much the first two MCUs must go together better than with the other start. */
const CLEARLY = 0.5

/** Where data begin, and whether nothing speaks for another place. */
export interface DataStart {
  readonly start: number
  readonly sure: boolean
}

/** The largest DC of 8 bits before quantisation: 8 times 128 levels. Rounding adds half a step at most. */
const MOST_DC = 1_024
/** Blocks of a hundred that may have more. */
const BEYOND = 0.01

/**
 * Where data begin whose scan header is gone, between `start` and `end`: at once, or behind what stands in place of a header;
 * where exactly the frame's MCUs can be read, else where most can. What stands there may fall into step within the first MCU,
 * too: then that does not go with the second, or all behind it becomes brighter or darker than can be. `steps`: of DC for each
 * component, as far as they are known.
 */
export function dataStart(
  bytes: Uint8Array,
  start: number,
  end: number,
  frame: FrameHeader,
  tables: readonly BlockTables[],
  steps: readonly (number | undefined)[],
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
  /** The part of blocks that would be brighter or darker than can be. */
  const beyond = (from: number): number => {
    const levels = new Int32Array(layout.components.length)
    let count = 0
    for (let at = from, left = layout.mcuCount; left > 0; left--) {
      mcu.fill(0)
      at = reader.read(at, mcu, 0)
      layout.componentOf.forEach((component, block) => {
        levels[component] += mcu[block * BLOCK_COEFFICIENTS]
        if ((Math.abs(levels[component]) - 1) * (steps[component] ?? 0) > MOST_DC) count++
      })
    }
    return count / (layout.mcuCount * layout.blocksPerMcu)
  }
  const behind = behindHeader(bytes, start, frame)
  if (behind !== undefined) return { start: behind, sure: true }
  const header = headerBytes(frame)
  // no data begin with so many equal bytes
  const emptied = isEven(bytes.subarray(start, start + header))
  const wanted = Math.min(TRIAL_MCUS, layout.mcuCount)
  const tries = [0, header].map((skipped) => {
    const [count, at] = read(skipped * BYTE, wanted)
    const [rest, last] = count < wanted || restarts ? [0, 0] : read(at, layout.mcuCount - count + 1)
    return { skipped, count, exact: count + rest === layout.mcuCount && data.length * BYTE - last < BYTE }
  })
  const [whole, headed] = tries
  if (emptied) return { start: start + header, sure: headed.exact }
  if (!whole.exact || !headed.exact) {
    const best = whole.exact || (!headed.exact && whole.count >= headed.count) ? whole : headed
    return { start: start + best.skipped, sure: best.exact }
  }
  const dark = beyond(0) >= BEYOND
  if (dark !== beyond(header * BYTE) >= BEYOND) return { start: dark ? start + header : start, sure: !dark }
  const [jump, moved] = [jumpAt(0), jumpAt(header * BYTE)]
  return { start: moved < CLEARLY * jump ? start + header : start, sure: jump < CLEARLY * moved }
}

/** Where data begin behind what is left of the frame's scan header, at `start` or behind its marker there. */
function behindHeader(bytes: Uint8Array, start: number, { components }: FrameHeader): number | undefined {
  const scanned = components.map(({ id }) => ({ id, dc: 0, ac: 0 }))
  const wanted = writeSegment(
    SOS,
    writeScanHeader({ components: scanned, first: 0, last: 63, high: 0, low: 0 }),
  )
  const isTables = (index: number): boolean => index > 5 && index < wanted.length - 3 && index % 2 === 0
  const alike = (at: number): number =>
    wanted.filter((byte, i) => !isTables(i) && bytes[at + i] === byte).length
  const behindMarker = start - MARKER_BYTES
  const at = alike(behindMarker) > alike(start) ? behindMarker : start
  return alike(at) < LEAST_ALIKE ? undefined : at + wanted.length
}

/** Bytes of a scan's header with its marker, ITU-T T.81 §B.2.3. */
function headerBytes({ components }: FrameHeader): number {
  return 8 + 2 * components.length
}

function isEven(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === bytes[0])
}
