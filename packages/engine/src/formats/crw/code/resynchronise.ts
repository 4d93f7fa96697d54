import type { Monitor } from '../../../model/monitor.ts'
import { BLOCK, BlockReader } from './block-reader.ts'
import type { BlockCodes } from './trees.ts'

/** A code with a hole: what is in front of that, and what is behind, without the zeros behind each 0xff. */
export interface HitCode {
  readonly codes: BlockCodes
  readonly width: number
  readonly height: number
  /** From its beginning on; empty where that is gone. */
  readonly front: Uint8Array
  /** From behind the hole up to its end. */
  readonly behind: Uint8Array
}

/** What of it can be read. */
export interface Resynchronised {
  /** Blocks in front of the hole, the bits they take, and the value that is carried on behind them. */
  readonly kept: number
  readonly keptBits: number
  readonly carried: number
  /** The first block behind it with which rows begin, its bits, and the value that is carried to it. */
  readonly first: number
  readonly firstBit: number
  readonly endBit: number
  readonly carry: number
}

/** Rows that are coded together: each group ends with a block. */
export const ROWS = 8
/** Bits from which reading is begun, and how many of those ways have to meet. */
const WAYS = 32
const MEETING = 20
/** Blocks after which ways have met: each has about a hundred bits. */
const MOST_APART = 512
/** Values are of 10 bits; their first ones in a row differ from the middle. */
export const MOST = 1 << 10
export const MIDDLE = 512
/** Chains that are followed. */
const MOST_TRIES = 16
/** Blocks that tell which value is carried, at least. */
const ENOUGH = 64
const PAUSE = 2_048

/** Blocks of a picture. */
export function blocksOf(width: number, height: number): number {
  let blocks = 0
  for (let row = 0; row < height; row += ROWS) blocks += (Math.min(ROWS, height - row) * width) >> 6
  return blocks
}

/**
 * Reads on behind a hole. Ways that begin at any bit meet at the same blocks within a few; how far those are from the end tells which they are. The
 * value carried from block to block is such that pixels do not step, all in all, from one block to the next.
 */
export async function resynchronise(code: HitCode, monitor: Monitor): Promise<Resynchronised | undefined> {
  const { codes, width, height, front, behind } = code
  const total = blocksOf(width, height)
  const inGroup = (ROWS * width) >> 6
  const chain = await chainToEnd(behind, codes, total, monitor)
  if (!chain) return undefined
  const { bits, sums } = chain
  const end = sums.length
  const kept = keptBlocks(front, codes)
  const index = total - end
  const first = Math.ceil(Math.max(index, kept.blocks) / inGroup) * inGroup
  const skipped = first - index
  if (index < kept.blocks || end - skipped < ENOUGH) return undefined
  const before = skipped > 0 ? sums[skipped - 1] : 0
  const carry = carriedTo(
    sums.slice(skipped, end).map((sum) => sum - before),
    inGroup,
  )
  const firstBit = bits[skipped]
  if (!(await fits(new BlockReader(behind, codes, firstBit), end - skipped, width, carry, monitor)))
    return undefined
  return {
    ...{ kept: kept.blocks, keptBits: kept.bits, carried: kept.carried },
    ...{ first, firstBit, endBit: bits[end], carry },
  }
}

/** Blocks one behind the other up to the end: where each begins, the last one's end behind them, and the sums of their first values. */
interface Chain {
  readonly bits: readonly number[]
  readonly sums: readonly number[]
}

async function chainToEnd(
  bytes: Uint8Array,
  codes: BlockCodes,
  most: number,
  monitor: Monitor,
): Promise<Chain | undefined> {
  const seen = new Set<number>()
  let tries = 0
  for (const start of meetings(bytes, codes)) {
    if (seen.has(start) || ++tries > MOST_TRIES) continue
    const reader = new BlockReader(bytes, codes, start)
    const bits = [start]
    const sums: number[] = []
    for (let sum = 0; sums.length <= most && reader.read(); ) {
      sum += reader.values[0]
      sums.push(sum)
      bits.push(reader.position)
      if (sums.length % PAUSE === 0) await monitor.pause()
    }
    // the last block ends in the last byte
    if (sums.length >= ENOUGH && sums.length <= most && reader.size - bits[sums.length] < 8)
      return { bits, sums }
    for (const bit of bits) seen.add(bit)
  }
  return undefined
}

/** Blocks at which most ways come by, in their order. */
function meetings(bytes: Uint8Array, codes: BlockCodes): readonly number[] {
  const counts = new Map<number, number>()
  for (let way = 0; way < WAYS; way++) {
    const reader = new BlockReader(bytes, codes, way)
    for (let i = 0; i < MOST_APART; i++) {
      const at = reader.position
      counts.set(at, (counts.get(at) ?? 0) + 1)
      // out of step, bits are met that cannot be: such a way begins again a bit further on
      if (!reader.read()) reader.position = at + 1
    }
  }
  const met = [...counts].filter(([, count]) => count >= MEETING).map(([at]) => at)
  return met.sort((a, b) => a - b)
}

/** Whole blocks at the beginning. */
function keptBlocks(
  bytes: Uint8Array,
  codes: BlockCodes,
): { readonly blocks: number; readonly bits: number; readonly carried: number } {
  const reader = new BlockReader(bytes, codes, 0)
  let [blocks, bits, carried] = [0, 0, 0]
  while (bytes.length > 0 && reader.read()) {
    blocks++
    bits = reader.position
    carried += reader.values[0]
  }
  return { blocks, bits, carried }
}

/** The value with which blocks, but those that rows begin with, begin no step in the middle. */
function carriedTo(sums: readonly number[], inGroup: number): number {
  const steps = sums.filter((_, i) => i % inGroup !== 0).sort((a, b) => a - b)
  return -(steps[steps.length >> 1] ?? 0)
}

/** Whether all values lie where those of a sensor do. */
async function fits(
  reader: BlockReader,
  blocks: number,
  width: number,
  carry: number,
  monitor: Monitor,
): Promise<boolean> {
  let [carried, place] = [carry, 0]
  const base = [MIDDLE, MIDDLE]
  for (let block = 0; block < blocks; block++) {
    if (!reader.read()) return false
    carried += reader.values[0]
    reader.values[0] = carried
    for (let i = 0; i < BLOCK; i++) {
      if (place++ % width === 0) base.fill(MIDDLE)
      base[i & 1] += reader.values[i]
      if (base[i & 1] < 0 || base[i & 1] >= MOST) return false
    }
    if (block % PAUSE === 0) await monitor.pause()
  }
  return true
}
