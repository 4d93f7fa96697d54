import { BoolDecoder } from '../bool-decoder.ts'
import type { UncompressedHeader } from './uncompressed-header.ts'

/** Probability that one of the stored probabilities stays as it is, of 256: §6.3.4. */
const STAYS = 252
/** tx_mode values of §7.3.1, and the largest transform of each. */
const ALLOW_32X32 = 3
const TX_MODE_SELECT = 4
const LARGEST = [0, 1, 2, 3, 3]
/** Bits of decode_term_subexp by its range, and from where on the longest takes one more: §6.3.5. */
const DELTA_BITS = [4, 4, 5, 7]
const LONG_DELTA = 65
/** Probabilities of one transform size: planes, reference or not, bands and contexts of §6.3.7, three each. */
const COEFFICIENT_PROBABILITIES = 2 * 2 * (3 + 5 * 6) * 3

/**
 * Reads a compressed header, VP9 specification §6.3, for its length alone: true when it ends within `bytes` and nothing but
 * zeros is left, as must be.
 */
export function fillsCompressedHeader(bytes: Uint8Array, header: UncompressedHeader): boolean {
  const bools = new BoolDecoder(bytes)
  if (bools.bool(128) !== 0) return false
  readTransforms(bools, header.lossless)
  readDeltas(bools, 3)
  if (!header.intra) readInter(bools, header)
  return bools.padded()
}

function readTransforms(bools: BoolDecoder, lossless: boolean): void {
  let mode = lossless ? 0 : bools.literal(2)
  if (mode === ALLOW_32X32) mode += bools.literal(1)
  if (mode === TX_MODE_SELECT) readDeltas(bools, 2 * (1 + 2 + 3))
  for (let size = 0; size <= LARGEST[mode]; size++) {
    if (bools.overrun) return
    if (bools.literal(1) === 1) readDeltas(bools, COEFFICIENT_PROBABILITIES)
  }
}

function readInter(bools: BoolDecoder, header: UncompressedHeader): void {
  readDeltas(bools, 7 * 3)
  if (header.switchableFilter) readDeltas(bools, 4 * 2)
  readDeltas(bools, 4)
  let single = true
  let compound = false
  if (header.compoundAllowed && bools.literal(1) === 1) {
    compound = true
    single = bools.literal(1) === 1
  }
  if (single && compound) readDeltas(bools, 5)
  if (single) readDeltas(bools, 5 * 2)
  if (compound) readDeltas(bools, 5)
  readDeltas(bools, 4 * 9)
  readDeltas(bools, 16 * 3)
  // motion vectors: joints, then for each direction sign, classes, class 0, bits, and the fractions
  readVectors(bools, 3 + 2 * (1 + 10 + 1 + 10) + 2 * (2 * 3 + 3) + (header.highPrecision ? 4 : 0))
}

/** diff_update_prob, §6.3.4. */
function readDeltas(bools: BoolDecoder, count: number): void {
  for (let i = 0; i < count; i++) {
    if (bools.bool(STAYS) === 0) continue
    if (bools.overrun) return
    let range = 0
    while (range < 3 && bools.literal(1) === 1) range++
    const value = bools.literal(DELTA_BITS[range])
    if (range === 3 && value >= LONG_DELTA) bools.literal(1)
  }
}

/** update_mv_prob, §6.3.19. */
function readVectors(bools: BoolDecoder, count: number): void {
  for (let i = 0; i < count && !bools.overrun; i++) if (bools.bool(STAYS) === 1) bools.literal(7)
}
