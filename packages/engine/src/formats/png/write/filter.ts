import type { Raster } from '../../../photo/raster/raster.ts'
import { paeth, pixelStep } from '../mend/unfilter.ts'
import { type Header, pixelBits } from '../read/header.ts'
import { AVERAGE, PAETH, type Pass, plainLength, SUB, UP } from '../read/rows.ts'

/**
 * A picture's rows as they are deflated, PNG (Third Edition) §9. `filterOf` gives the filter type of the row that begins at an
 * offset of the result: with that which was recorded, rows that are as they were come out as they were.
 */
export function filtered(
  raster: Raster,
  header: Header,
  passes: readonly Pass[],
  filterOf: (at: number) => number,
): Uint8Array {
  const result = new Uint8Array(plainLength(passes))
  const step = pixelStep(header)
  for (const pass of passes) {
    let above = new Uint8Array(pass.stride - 1)
    let here = new Uint8Array(pass.stride - 1)
    for (let row = 0; row < pass.height; row++) {
      const at = pass.start + row * pass.stride
      takeRow(raster, header, pass, row, here)
      const filter = filterOf(at)
      result[at] = filter
      for (let i = 0; i < here.length; i++) {
        const left = i < step ? 0 : here[i - step]
        const up = above[i]
        const corner = i < step ? 0 : above[i - step]
        let predicted = 0
        if (filter === SUB) predicted = left
        else if (filter === UP) predicted = up
        else if (filter === AVERAGE) predicted = (left + up) >> 1
        else if (filter === PAETH) predicted = paeth(left, up, corner)
        result[at + 1 + i] = here[i] - predicted
      }
      ;[above, here] = [here, above]
    }
  }
  return result
}

function takeRow(
  { width, bytesPerPixel, pixels }: Raster,
  header: Header,
  { x, y, stepX, stepY, width: across }: Pass,
  row: number,
  into: Uint8Array,
): void {
  const bits = pixelBits(header)
  const line = (y + row * stepY) * width
  if (bits < 8) into.fill(0)
  for (let i = 0; i < across; i++) {
    const from = line + x + i * stepX
    if (bits < 8) into[(i * bits) >> 3] |= pixels[from] << (8 - bits - ((i * bits) & 7))
    else
      for (let part = 0; part < bytesPerPixel; part++)
        into[i * bytesPerPixel + part] = pixels[from * bytesPerPixel + part]
  }
}
