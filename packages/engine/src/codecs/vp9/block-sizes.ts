/** Sizes of blocks, VP9 specification v0.6 §3 and §10.1, numbered 0 (4x4) to 12 (64x64). */

export const BLOCK_8X8 = 3
export const BLOCK_64X64 = 12

/** Width and height in units of 8 samples, and their logarithms to base 2; smaller blocks count as 8 by 8. */
export const WIDTH_8 = Uint8Array.of(1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8)
export const HEIGHT_8 = Uint8Array.of(1, 1, 1, 1, 2, 1, 2, 4, 2, 4, 8, 4, 8)

/** max_txsize_lookup. */
export const LARGEST_TX = Uint8Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3)
/** size_group_lookup. */
export const SIZE_GROUP = Uint8Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3)

/**
 * What a block is divided into: none, two lying, two standing, four; subsize_lookup by partition, for 8x8, 16x16, 32x32, 64x64.
 */
export const PARTITION_NONE = 0
export const PARTITION_HORIZONTAL = 1
export const PARTITION_VERTICAL = 2
export const PARTITION_SPLIT = 3
export const PARTITION_SIZE = Uint8Array.of(3, 6, 9, 12, 2, 5, 8, 11, 1, 4, 7, 10, 0, 3, 6, 9)

/** Contexts that a block leaves to those below and to the right, one bit for each size that is divided there: §9.3.1. */
export const PARTITION_ABOVE = Uint8Array.of(15, 15, 14, 14, 14, 12, 12, 12, 8, 8, 8, 0, 0)
export const PARTITION_LEFT = Uint8Array.of(15, 14, 15, 14, 12, 14, 12, 8, 12, 8, 0, 8, 0)
