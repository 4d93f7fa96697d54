import { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { CLEARLY, commonGrid, type SizeHint } from './fit-frame.ts'
import { continues, type Reading, rowDifference } from './scan-reading.ts'

/**
 * The size of a picture, and who tells it: the frame header, Exif data or a sample, the header but for one bit, or the scan
 * alone.
 */
export interface CountedSize extends SizeHint {
  readonly by: 'frame' | 'told' | 'bit' | 'scan'
}

const SIZE_BITS = 16
/** Rows of MCUs more or less than a height has, from which on the height is wrong rather than the data. */
const MANY_ROWS = 8

/**
 * The size of a picture whose scan was read whole, where the frame header tells `frame`, and others `told`: one of exactly as
 * many MCUs as were read, whose rows go on from each other, clearly better than those of the header where it has another width.
 * Undefined where there is none.
 */
export function sizeByCount(
  reading: Reading,
  frame: SizeHint,
  told: readonly SizeHint[],
): CountedSize | undefined {
  const { components, count } = reading
  const wideOf = ({ width, height }: SizeHint): number => new McuLayout(width, height, components).mcuWide
  const fits = ({ width, height }: SizeHint): boolean => {
    const { mcuCount, mcuWide } = new McuLayout(width, height, components)
    return mcuCount === count && continues(reading, mcuWide)
  }
  if (fits(frame)) return { ...frame, by: 'frame' }
  const framed = wideOf(frame)
  const usual = rowDifference(reading, framed)
  const better = (size: SizeHint): boolean =>
    wideOf(size) === framed || rowDifference(reading, wideOf(size)) < CLEARLY * usual
  // a height that others tell, too, is not one bit off, and a few rows of the same width may be gone from the data or be there
  // twice
  const sure = told.some(({ width, height }) => width === frame.width && height === frame.height)
  const rows = Math.ceil(count / framed) - new McuLayout(frame.width, frame.height, components).mcuHigh
  const near = oneBitAway(frame).filter(
    (size) => wideOf(size) !== framed || (!sure && Math.abs(rows) >= MANY_ROWS),
  )
  const likely = [
    ...told.map((size) => ({ ...size, by: 'told' }) as const),
    ...near.map((size) => ({ ...size, by: 'bit' }) as const),
  ].filter((size) => fits(size) && better(size))
  likely.sort((a, b) => rowDifference(reading, wideOf(a)) - rowDifference(reading, wideOf(b)))
  if (likely.length > 0) return likely[0]
  const common = commonGrid(reading)
  return common && wideOf(common) !== framed && better(common) ? { ...common, by: 'scan' } : undefined
}

/** Sizes of which one bit of the width or the height is another: those that a frame header can tell. */
function oneBitAway({ width, height }: SizeHint): SizeHint[] {
  return Array.from({ length: SIZE_BITS }, (_, bit) => 1 << bit)
    .flatMap((bit) => [
      { width: width ^ bit, height },
      { width, height: height ^ bit },
    ])
    .filter((size) => size.width > 0 && size.height > 0)
}
