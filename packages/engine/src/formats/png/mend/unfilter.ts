import { ESTIMATED, LOST, RECOVERED } from '../../../photo/picture/picture.ts'
import { newRaster, type Raster } from '../../../photo/raster/raster.ts'
import { type Header, PALETTE, pixelBits } from '../read/header.ts'
import { AVERAGE, NONE, PAETH, type Pass, SUB, UP } from '../read/rows.ts'

/** Filtered data of a frame, and what each byte of them is. */
export interface FilteredData {
  readonly bytes: Uint8Array
  /** `RECOVERED`, `ESTIMATED` or `LOST` for each byte. */
  readonly states: Uint8Array
}

/** PNG (Third Edition) §9.4. */
export function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner
  const toLeft = Math.abs(estimate - left)
  const toAbove = Math.abs(estimate - above)
  const toCorner = Math.abs(estimate - corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

/** Bytes from one pixel's to the next one's in a row. */
export function pixelStep(header: Header): number {
  return Math.max(1, pixelBits(header) >> 3)
}

/** Whether the values of samples are levels, between which there are others. */
export function hasLevels({ colour, depth }: Header): boolean {
  return colour !== PALETTE && depth === 8
}

/**
 * Undoes the filters of a frame's rows, PNG (Third Edition) §9.2. A pixel whose own bytes are there but depends on others that
 * are not is estimated: what is missing is taken to be as the row above.
 */
export function unfiltered(
  data: FilteredData,
  header: Header,
  passes: readonly Pass[],
  width: number,
  height: number,
): Raster {
  const step = pixelStep(header)
  const raster = newRaster(width, height, step)
  for (const pass of passes) {
    const length = pass.stride - 1
    let above = new Uint8Array(length)
    let here = new Uint8Array(length)
    // what lies before the first row is zero, §9.2
    let aboveStates = new Uint8Array(length)
    let states = new Uint8Array(length)
    for (let row = 0; row < pass.height; row++) {
      const at = pass.start + row * pass.stride
      const filter = data.states[at] === LOST ? LOST_FILTER : data.bytes[at]
      if (filter > PAETH) {
        // of a lost row nothing is known but that it is like the one above
        here.set(above)
        states.fill(LOST)
      } else unfilterRow(data, at + 1, filter, step, { here, above, states, aboveStates })
      putRow(raster, header, pass, row, here, states)
      ;[above, here] = [here, above]
      ;[aboveStates, states] = [states, aboveStates]
    }
  }
  return raster
}

const LOST_FILTER = 255

interface Rows {
  readonly here: Uint8Array
  readonly above: Uint8Array
  readonly states: Uint8Array
  readonly aboveStates: Uint8Array
}

function unfilterRow(
  { bytes, states: given }: FilteredData,
  from: number,
  filter: number,
  step: number,
  { here, above, states, aboveStates }: Rows,
): void {
  for (let i = 0; i < here.length; i++) {
    if (given[from + i] === LOST) {
      here[i] = above[i]
      states[i] = LOST
      continue
    }
    const left = i < step ? 0 : here[i - step]
    const up = above[i]
    const corner = i < step ? 0 : above[i - step]
    let predicted = 0
    if (filter === SUB) predicted = left
    else if (filter === UP) predicted = up
    else if (filter === AVERAGE) predicted = (left + up) >> 1
    else if (filter === PAETH) predicted = paeth(left, up, corner)
    here[i] = bytes[from + i] + predicted
    let worst = filter === NONE || filter === SUB ? RECOVERED : aboveStates[i]
    if (i >= step && filter !== NONE && filter !== UP) worst = Math.max(worst, states[i - step])
    if (i >= step && filter === PAETH) worst = Math.max(worst, aboveStates[i - step])
    states[i] = worst === RECOVERED ? given[from + i] : ESTIMATED
  }
}

function putRow(
  { width, bytesPerPixel, pixels, states }: Raster,
  header: Header,
  { x, y, stepX, stepY, width: across }: Pass,
  row: number,
  bytes: Uint8Array,
  byteStates: Uint8Array,
): void {
  const bits = pixelBits(header)
  const line = (y + row * stepY) * width
  const mask = (1 << bits) - 1
  for (let i = 0; i < across; i++) {
    const to = line + x + i * stepX
    if (bits < 8) {
      const at = i * bits
      states[to] = byteStates[at >> 3]
      if (states[to] !== LOST) pixels[to] = (bytes[at >> 3] >> (8 - bits - (at & 7))) & mask
      continue
    }
    let worst = RECOVERED
    const from = i * bytesPerPixel
    for (let part = 0; part < bytesPerPixel; part++) worst = Math.max(worst, byteStates[from + part])
    states[to] = worst
    if (worst === LOST) continue
    for (let part = 0; part < bytesPerPixel; part++) pixels[to * bytesPerPixel + part] = bytes[from + part]
  }
}
