import type { BoolDecoder } from '../bool-decoder.ts'

/** Bits of the window that decides a symbol which may lie beyond the end of a whole partition. */
export const WINDOW = 7
/** Bits that encoders leave behind the last symbol: one of 32 zeros, and what fills the last byte. */
const MOST_LEFT = 48
/** Bytes that a partition may be longer than its symbols. */
export const PARTITION_SLACK = 7

/** Whether symbols were read that the bytes do not hold; `cut`: the partition's end is missing, so that none may lie beyond. */
export function isBeyond(bools: BoolDecoder, cut: boolean): boolean {
  return bools.taken > bools.bits + (cut ? 0 : WINDOW)
}

export function isExact(bools: BoolDecoder): boolean {
  const left = bools.bits - bools.taken
  return bools.window === 0 && left >= -WINDOW && (left <= MOST_LEFT || bools.padded())
}
