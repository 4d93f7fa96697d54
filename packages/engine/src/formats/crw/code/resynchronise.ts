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
 * Reads on behind a hole. Ways that begin at any bit meet at the same blocks within a few; how far those are from the end tells
 * which they are. The value carried from block to block is such that pixels do not step, all in all, from one block to the next.
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
  const from = Math.ceil(index / inGroup) * inGroup
  const skipped = from - index
  // more blocks in front of the hole and behind it than there are
  if (index < kept.blocks || end - skipped < ENOUGH) return undefined
  const before = skipped > 0 ? sums[skipped - 1] : 0
  const further = sums.slice(skipped, end).map((sum) => sum - before)
  const carry = carriedTo(further, inGroup)
  const read = new BlockReader(behind, codes, bits[skipped])
  const out = await outOfStep(read, { blocks: end - skipped, inGroup, width, carry }, monitor)
  if (out === undefined) return undefined
  const more = out * inGroup
  return {
    ...{ kept: kept.blocks, keptBits: kept.bits, carried: kept.carried },
    ...{ first: from + more, firstBit: bits[skipped + more], endBit: bits[end] },
    carry: carry + (more > 0 ? further[more - 1] : 0),
  }
}

/**
 * Blocks one behind the other up to the end: where each begins, the last one's end behind them, and the sums of their first
 * values.
 */
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

interface Groups {
  readonly blocks: number
  readonly inGroup: number
  readonly width: number
  readonly carry: number
}

/** How much rougher a group is than most others that was read out of step. */
const ROUGH = 3

/**
 * Groups at the beginning that were read out of step, within what was hit: their values lie outside those of a sensor, or are
 * rougher than others'. Undefined where further ones do, or most of them.
 */
async function outOfStep(
  reader: BlockReader,
  { blocks, inGroup, width, carry }: Groups,
  monitor: Monitor,
): Promise<number | undefined> {
  const roughness: number[] = []
  let [carried, place] = [carry, 0]
  const base = [MIDDLE, MIDDLE]
  for (let block = 0; block < blocks; block++) {
    if (!reader.read()) return undefined
    carried += reader.values[0]
    reader.values[0] = carried
    if (block % inGroup === 0) roughness.push(0)
    for (let i = 0; i < BLOCK; i++, place++) {
      const begins = place % width === 0
      if (begins) base.fill(MIDDLE)
      base[i & 1] += reader.values[i]
      if (base[i & 1] < 0 || base[i & 1] >= MOST) roughness[roughness.length - 1] = Number.POSITIVE_INFINITY
      else if (place % width > 1) roughness[roughness.length - 1] += Math.abs(reader.values[i])
    }
    if (block % PAUSE === 0) await monitor.pause()
  }
  const usual = [...roughness].sort((a, b) => a - b)[roughness.length >> 1]
  const first = roughness.findIndex((each) => each <= ROUGH * usual)
  const fine = first >= 0 && first * 2 < roughness.length && roughness.slice(first).every(Number.isFinite)
  return fine ? first : undefined
}
