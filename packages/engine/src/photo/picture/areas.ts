import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { MAX_AREAS, type PhotoArea } from '../../model/photo.ts'
import { ESTIMATED, FILLED, LOST, RECOVERED } from './picture.ts'

const NAMES: Readonly<Record<number, PhotoArea['state']>> = {
  [ESTIMATED]: 'estimated',
  [FILLED]: 'filled',
  [LOST]: 'lost',
}

interface Rectangle {
  readonly column: number
  readonly row: number
  readonly wide: number
  high: number
  readonly state: number
}

/** How the units that have states lie over a picture. */
export type AreaGrid = Pick<
  McuLayout,
  'width' | 'height' | 'mcuWide' | 'mcuHigh' | 'mcuPixelsWide' | 'mcuPixelsHigh'
>

/** Parts of the picture that are not as they were recorded, as rectangles of pixels; the finer the more there is room for. */
export function areasOf(states: Uint8Array, layout: AreaGrid): PhotoArea[] {
  let wide = layout.mcuWide
  let high = layout.mcuHigh
  let grid = states
  let scale = 1
  let rectangles = rectanglesOf(grid, wide, high)
  while (rectangles.length > MAX_AREAS && (wide > 1 || high > 1)) {
    grid = halved(grid, wide, high)
    wide = Math.ceil(wide / 2)
    high = Math.ceil(high / 2)
    scale *= 2
    rectangles = rectanglesOf(grid, wide, high)
  }
  const across = layout.mcuPixelsWide * scale
  const down = layout.mcuPixelsHigh * scale
  return rectangles.map(({ column, row, wide: columns, high: rows, state }) => {
    const x = column * across
    const y = row * down
    return {
      x,
      y,
      width: Math.min(layout.width - x, columns * across),
      height: Math.min(layout.height - y, rows * down),
      state: NAMES[state],
    }
  })
}

/** Runs of one state in a row, joined with equal ones above. */
function rectanglesOf(states: Uint8Array, wide: number, high: number): Rectangle[] {
  const rectangles: Rectangle[] = []
  let above: Rectangle[] = []
  for (let row = 0; row < high; row++) {
    const here: Rectangle[] = []
    for (let column = 0; column < wide; ) {
      const state = states[row * wide + column]
      let end = column + 1
      while (end < wide && states[row * wide + end] === state) end++
      if (state !== RECOVERED) {
        const same = above.find(
          (other) => other.column === column && other.wide === end - column && other.state === state,
        )
        if (same) {
          same.high++
          here.push(same)
        } else {
          const rectangle = { column, row, wide: end - column, high: 1, state }
          rectangles.push(rectangle)
          here.push(rectangle)
        }
      }
      column = end
    }
    above = here
  }
  return rectangles
}

/** The states at half the size, the worst of four each. */
function halved(states: Uint8Array, wide: number, high: number): Uint8Array {
  const across = Math.ceil(wide / 2)
  const half = new Uint8Array(across * Math.ceil(high / 2))
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column++) {
      const at = (row >> 1) * across + (column >> 1)
      half[at] = Math.max(half[at], states[row * wide + column])
    }
  }
  return half
}
