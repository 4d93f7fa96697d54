import type { PhotoArea } from '../model/photo.ts'
import { areasOf } from './areas.ts'
import { continueFlat } from './continue-flat.ts'
import { ESTIMATED, FILLED, LOST, RECOVERED } from './picture.ts'

/** A picture of pixels without loss, each of some bytes, and what each of them is: recovered, estimated, filled or lost. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly bytesPerPixel: number
  readonly pixels: Uint8Array
  /** One for each pixel; all lost at first. */
  readonly states: Uint8Array
}

export function newRaster(width: number, height: number, bytesPerPixel: number): Raster {
  const pixels = new Uint8Array(width * height * bytesPerPixel)
  return { width, height, bytesPerPixel, pixels, states: new Uint8Array(width * height).fill(LOST) }
}

/** Rows that are filled from one side alone: more would be invented. */
const ROWS_FROM_ONE_SIDE = 1
/** Rows between two known pixels over which one goes over into the other. */
const MOST_ROWS = 4096

/**
 * Fills lost pixels with what is known above and below them: `blend`: one goes over into the other; else, where values are no levels, the
 * nearer one is repeated. What has nothing on one side stays blank but for a row and for what is flat there.
 */
export function fillRaster(raster: Raster, blend: boolean): void {
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
      fillColumn(raster, x, above, below, blend)
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
    for (let i = 0; i < bytesPerPixel; i++) {
      if (blend && between)
        pixels[to + i] = Math.round((pixels[first + i] * down + pixels[second + i] * up) / (up + down))
      else pixels[to + i] = pixels[(nearUp && (!nearDown || up <= down) ? first : second) + i]
    }
    states[y * width + x] = FILLED
  }
}

/** Pixels of a cell of the report across. */
const CELL = 8

/** What became of a picture, in rows, and where. */
export interface RasterAccount {
  readonly recovered: number
  readonly estimated: number
  readonly lost: number
  readonly areas: PhotoArea[]
}

/** Counts rows by their worst pixel, and tells where pixels are not as they were recorded. */
export function accountOf({ width, height, states }: Raster): RasterAccount {
  const mcuWide = Math.ceil(width / CELL)
  const cells = new Uint8Array(mcuWide * height)
  const rows = [0, 0, 0, 0]
  for (let y = 0, at = 0; y < height; y++) {
    let worst = RECOVERED
    for (let x = 0; x < width; x++, at++) {
      const state = states[at]
      if (state === RECOVERED) continue
      const cell = y * mcuWide + (x >> 3)
      if (state > cells[cell]) cells[cell] = state
      if (state > worst) worst = state
    }
    rows[worst]++
  }
  const grid = { width, height, mcuWide, mcuHigh: height, mcuPixelsWide: CELL, mcuPixelsHigh: 1 }
  return {
    recovered: rows[RECOVERED],
    estimated: rows[ESTIMATED],
    lost: rows[FILLED] + rows[LOST],
    areas: rows[RECOVERED] === height ? [] : areasOf(cells, grid),
  }
}

/** The account of a picture that is as it was recorded, or of which nothing is left. */
export function plainAccount(height: number, there: boolean): RasterAccount {
  return { recovered: there ? height : 0, estimated: 0, lost: there ? 0 : height, areas: [] }
}
