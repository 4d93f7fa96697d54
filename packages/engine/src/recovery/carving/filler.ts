import { SAMPLE_AFTER_HOLE } from '../../model/sample-table.ts'
import type { Hole } from './assembler.ts'
import type { Lane } from './lane.ts'

/** Blocks that writers begin their chunks at: sectors, pages and clusters of disks. */
const LARGEST_BLOCK = 1 << 17
const SMALLEST_BLOCK = 1 << 9
/**
 * In bits: a second hole that ends where a page does is none of chance; of sectors it takes two, and more where all units are of
 * even sizes.
 */
const CERTAIN = 12
/** Holes on each side among which others must end at the same place of a block. */
const NEIGHBOURS = 4

/**
 * The holes that lost something. Those no longer than a healthy recording's `usual` filler did not; nor did those that fill up
 * blocks, as writers do that begin each chunk at a multiple of a disk's sector: shorter than a block, they end at the same place
 * of one as others do. Damage ends wherever the next unit begins. Rows behind filler follow those before it directly.
 */
export function withoutFiller(
  lanes: readonly Lane[],
  holes: readonly Hole[],
  usual: number,
): readonly Hole[] {
  const grain = grainOf(lanes)
  const lost = holes.filter((hole, index) => hole.length > usual && !fillsBlock(holes, index, grain))
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

/** The largest power of two that the sizes of all units are multiples of: damage ends at one from another. */
function grainOf(lanes: readonly Lane[]): number {
  let bits = 0
  for (const { table } of lanes) for (let row = 0; row < table.length; row++) bits |= table.size[row]
  return bits === 0 ? 1 : (bits & -bits) >>> 0
}

/**
 * Whether a hole ends where a block of some size does, as others near it do, more than chance has them at multiples of `grain`;
 * bytes missing before may have moved the blocks.
 */
function fillsBlock(holes: readonly Hole[], index: number, grain: number): boolean {
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
    if (agreeing * Math.log2(block / grain) >= CERTAIN) return true
  }
  return false
}
