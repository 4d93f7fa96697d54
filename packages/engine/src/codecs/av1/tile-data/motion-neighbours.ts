import type { Block } from './block.ts'
import type { MotionGrid } from './motion-grid.ts'
import { HIGH, WIDE } from './sizes.ts'
import { isInside, type TilePlace } from './tile-place.ts'

/**
 * Whether blocks above or to the left are predicted from other frames: has_overlappable_candidates, AV1 specification
 * (2019-01-08) §7.10.3.
 */
export function overlaps(grid: MotionGrid, { row, column, across, down, hasAbove, hasLeft }: Block): boolean {
  const { columns, rows, first } = grid
  if (hasAbove)
    for (let x = column; x < Math.min(columns, column + across); x += 2)
      if (first[columns * (row - 1) + (x | 1)] > 0) return true
  if (hasLeft)
    for (let y = row; y < Math.min(rows, row + down); y += 2)
      if (first[columns * (y | 1) + column - 1] > 0) return true
  return false
}

/** Whether find_warp_samples, §7.10.4, finds any block that is predicted from the same reference alone. */
export function hasSamples(grid: MotionGrid, block: Block, place: TilePlace, reference: number): boolean {
  const { row, column, across, down, hasAbove, hasLeft } = block
  const { columns, rows } = grid
  const fits = (deltaRow: number, deltaColumn: number): boolean => {
    const y = row + deltaRow
    const x = column + deltaColumn
    if (!isInside(place, y, x)) return false
    return grid.first[columns * y + x] === reference && grid.second[columns * y + x] === -1
  }
  let topLeft = true
  let topRight = true
  if (hasAbove) {
    const wide = 1 << WIDE[grid.size[columns * (row - 1) + column]]
    if (across <= wide) {
      const offset = -(column & (wide - 1))
      if (offset < 0) topLeft = false
      if (offset + wide > across) topRight = false
      if (fits(-1, 0)) return true
    } else {
      for (let i = 0; i < Math.min(across, columns - column); ) {
        if (fits(-1, i)) return true
        i += Math.min(across, 1 << WIDE[grid.size[columns * (row - 1) + column + i]])
      }
    }
  }
  if (hasLeft) {
    const high = 1 << HIGH[grid.size[columns * row + column - 1]]
    if (down <= high) {
      if ((row & (high - 1)) > 0) topLeft = false
      if (fits(0, -1)) return true
    } else {
      for (let i = 0; i < Math.min(down, rows - row); ) {
        if (fits(i, -1)) return true
        i += Math.min(down, 1 << HIGH[grid.size[columns * (row + i) + column - 1]])
      }
    }
  }
  if (topLeft && fits(-1, -1)) return true
  return topRight && Math.max(across, down) <= 16 && fits(-1, across)
}
