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

/** Whether a size has common proportions to the pixel. */
export function hasCommonRatio(width: number, height: number): boolean {
  return RATIOS.some(([across, down]) => width * down === height * across)
}
