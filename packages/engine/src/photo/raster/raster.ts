import type { PhotoArea } from '../../model/photo.ts'
import { areasOf } from '../picture/areas.ts'
import { ESTIMATED, FILLED, LOST, RECOVERED } from '../picture/picture.ts'

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
