import { SAMPLE_AFTER_HOLE } from '../../model/sample-table.ts'
import type { Hole } from './assembler.ts'
import type { Lane } from './lane.ts'

/** Blocks that writers begin their chunks at: sectors, pages and clusters of disks. */
const LARGEST_BLOCK = 1 << 17
const SMALLEST_BLOCK = 1 << 9
/** A block at whose end no second hole ends by chance; of smaller ones so many must agree. */
const PAGE = 1 << 12
const AGREEING_SECTORS = 2
/** Holes on each side among which others must end at the same place of a block. */
const NEIGHBOURS = 4

/**
 * The holes that lost something. Those no longer than a healthy recording's `usual` filler did not; nor did those that fill up blocks,
 * as writers do that begin each chunk at a multiple of a disk's sector: shorter than a block, they end at the same place of one as
 * others do. Damage ends wherever the next unit begins. Rows behind filler follow those before it directly.
 */
export function withoutFiller(
  lanes: readonly Lane[],
  holes: readonly Hole[],
  usual: number,
): readonly Hole[] {
  const lost = holes.filter((hole, index) => hole.length > usual && !fillsBlock(holes, index))
  if (lost.length === holes.length) return holes
  const remaining = new Set(lost)
  for (const lane of lanes) {
    const behindLoss = new Set(lost.map(({ rows }) => rows[lane.index]))
    for (const hole of holes) {
      const row = hole.rows[lane.index]
      if (remaining.has(hole) || behindLoss.has(row) || row >= lane.table.length) continue
      lane.table.flags[row] &= ~SAMPLE_AFTER_HOLE
    }
  }
  return lost
}

/** Whether a hole ends where a block of some size does, as others near it do; bytes missing before may have moved the blocks. */
function fillsBlock(holes: readonly Hole[], index: number): boolean {
  const { offset, length } = holes[index]
  const end = offset + length
  const from = Math.max(0, index - NEIGHBOURS)
  const until = Math.min(holes.length, index + NEIGHBOURS + 1)
  for (let block = LARGEST_BLOCK; block >= SMALLEST_BLOCK && block > length; block /= 2) {
    let agreeing = 0
    for (let other = from; other < until; other++) {
      const near = holes[other]
      if (other === index || near.length >= block) continue
      if ((near.offset + near.length - end) % block === 0) agreeing++
    }
    if (agreeing >= (block >= PAGE ? 1 : AGREEING_SECTORS)) return true
  }
  return false
}
