import { ESTIMATED, FILLED, LOST } from '../../../photo/picture/picture.ts'
import type { Raster } from '../../../photo/raster/raster.ts'

/** Pixels that stand for others until a later pass brings those, PNG (Third Edition) §8.2: masks of x and y, the finest first. */
const STAND_FOR = [
  [~0, ~1],
  [~1, ~1],
  [~1, ~3],
  [~3, ~3],
  [~3, ~7],
  [~7, ~7],
] as const

/** Fills lost pixels of an interlaced picture with those of earlier passes, as a picture that is still being loaded is shown. */
export function fillFromPasses({ width, height, bytesPerPixel, pixels, states }: Raster): void {
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (states[at] !== LOST) continue
      const known = STAND_FOR.map(([maskX, maskY]) => (y & maskY) * width + (x & maskX)).find(
        (place) => states[place] <= ESTIMATED,
      )
      if (known === undefined) continue
      const from = known * bytesPerPixel
      pixels.copyWithin(at * bytesPerPixel, from, from + bytesPerPixel)
      states[at] = FILLED
    }
  }
}
