/** Common proportions of pictures, width to height. */
export const RATIOS: readonly (readonly [number, number])[] = [
  [4, 3],
  [3, 2],
  [16, 9],
  [1, 1],
  [3, 4],
  [2, 3],
  [9, 16],
  [5, 4],
]
