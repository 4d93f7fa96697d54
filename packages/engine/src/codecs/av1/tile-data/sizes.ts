/**
 * Sizes of blocks and transforms, AV1 specification (2019-01-08) §3 and §9.3. Sides are told as the binary logarithm of their
 * length in units of four samples: 0 is four samples, 5 is 128.
 */

/** BLOCK_SIZES in their order: width, height. */
// biome-ignore format: a table
const SIDES = [
  [0, 0], [0, 1], [1, 0], [1, 1], [1, 2], [2, 1], [2, 2], [2, 3], [3, 2], [3, 3], [3, 4],
  [4, 3], [4, 4], [4, 5], [5, 4], [5, 5], [0, 2], [2, 0], [1, 3], [3, 1], [2, 4], [4, 2],
]
/** Of a block size its sides. */
export const WIDE = Uint8Array.from(SIDES, ([wide]) => wide)
export const HIGH = Uint8Array.from(SIDES, ([, high]) => high)
export const BLOCK_8X8 = 3
const SIDE_VALUES = 6
const BY_SIDES = new Int8Array(SIDE_VALUES * SIDE_VALUES).fill(-1)
for (const [size, [wide, high]] of SIDES.entries()) BY_SIDES[SIDE_VALUES * wide + high] = size

/** The size with these sides, below 0 where there is none. */
export function blockOf(wide: number, high: number): number {
  return wide < 0 || high < 0 ? -1 : BY_SIDES[SIDE_VALUES * wide + high]
}

/** The longest side of a transform, and of a coded one: of 64 samples only 32 have coefficients. */
export const LONGEST_TRANSFORM = 4
export const LONGEST_CODED = 3
