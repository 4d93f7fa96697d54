import { FILLED, LOST } from '../picture/picture.ts'
import { continueFlat } from './continue-flat.ts'
import type { Raster } from './raster.ts'

/** Rows that are filled from one side alone: more would be invented. */
const ROWS_FROM_ONE_SIDE = 1
/** Rows between two known pixels over which one goes over into the other. */
const MOST_ROWS = 4096
/** Rows from known pixels beyond which the ground is likelier than what is there, where most of a picture is clear. */
const ROWS_BESIDE = 8

/**
 * Fills lost pixels with what is known above and below them: `blend`: one goes over into the other; else, where values are no
 * levels, the nearer one is repeated. What has nothing on one side stays blank but for a row and for what is flat there. Where
 * there is a `clear` pixel, that shows what lies behind the picture as most do, gaps are as that one but for rows beside what is
 * known.
 */
export function fillRaster(raster: Raster, blend: boolean, clear?: number): void {
  const { width, height, states } = raster
  for (let x = 0; x < width; x++) {
    let above = -1
    for (let y = 0; y < height; y++) {
      if (states[y * width + x] !== LOST) {
        above = y
        continue
      }
      let below = y + 1
      while (below < height && states[below * width + x] === LOST) below++
      fillColumn(raster, x, above, below, blend, clear)
      above = below
      y = below
    }
  }
  continueFlat(raster)
}

/** Fills the pixels of a column strictly between two rows, of which one may be outside. */
function fillColumn(
  { width, height, bytesPerPixel, pixels, states }: Raster,
  x: number,
  above: number,
  below: number,
  blend: boolean,
  clear: number | undefined,
): void {
  const between = above >= 0 && below < height && below - above <= MOST_ROWS
  for (let y = above + 1; y < below; y++) {
    const up = y - above
    const down = below - y
    const nearUp = above >= 0 && (up <= ROWS_FROM_ONE_SIDE || between)
    const nearDown = below < height && (down <= ROWS_FROM_ONE_SIDE || between)
    if (!nearUp && !nearDown) continue
    const to = (y * width + x) * bytesPerPixel
    const first = (above * width + x) * bytesPerPixel
    const second = (below * width + x) * bytesPerPixel
    if (clear !== undefined && between && Math.min(up, down) > ROWS_BESIDE) {
      pixels.copyWithin(to, clear * bytesPerPixel, (clear + 1) * bytesPerPixel)
      states[y * width + x] = FILLED
      continue
    }
    for (let i = 0; i < bytesPerPixel; i++) {
      if (blend && between)
        pixels[to + i] = Math.round((pixels[first + i] * down + pixels[second + i] * up) / (up + down))
      else pixels[to + i] = pixels[(nearUp && (!nearDown || up <= down) ? first : second) + i]
    }
    states[y * width + x] = FILLED
  }
}
