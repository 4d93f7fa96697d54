import { FILLED, LOST } from '../picture/picture.ts'
import type { Raster } from './raster.ts'

/** Rows beside a gap by which it is told what goes on in it. */
const ROWS = 16

/**
 * Fills lost pixels that reach the upper or lower edge of a picture where its surroundings are flat: a column whose last rows are
 * all of one value goes on with it, and where most pixels beside the gap have one value, the ground of a drawing, so do the
 * others. What lies beside a gap in a picture that is nowhere flat tells nothing of it: it stays blank.
 */
export function continueFlat(raster: Raster): void {
  fillEdge(raster, -1)
  fillEdge(raster, 1)
}

/** Fills the gap at the lower edge, `step` -1 from it to what is known, or at the upper one, 1. */
function fillEdge(raster: Raster, step: -1 | 1): void {
  const { width, height, bytesPerPixel, pixels, states } = raster
  const edge = step < 0 ? height - 1 : 0
  const gaps = new Int32Array(width)
  let any = false
  for (let x = 0; x < width; x++) {
    while (gaps[x] < height && states[(edge + step * gaps[x]) * width + x] === LOST) gaps[x]++
    any ||= gaps[x] > 0
  }
  if (!any) return
  const beside = besideGaps(raster, gaps, edge, step)
  const ground = majority(raster, beside)
  for (let x = 0; x < width; x++) {
    const last = gaps[x] < height ? (edge + step * gaps[x]) * width + x : -1
    const from = last >= 0 && isFlat(raster, last, step) ? last : ground
    if (from < 0) continue
    for (let i = 0; i < gaps[x]; i++) {
      const to = (edge + step * i) * width + x
      pixels.copyWithin(to * bytesPerPixel, from * bytesPerPixel, (from + 1) * bytesPerPixel)
      states[to] = FILLED
    }
  }
}

/** Places of the known pixels within some rows of the gaps. */
function besideGaps(
  { width, height, states }: Raster,
  gaps: Int32Array,
  edge: number,
  step: number,
): Uint32Array {
  const places = new Uint32Array(width * ROWS)
  let count = 0
  for (let x = 0; x < width; x++) {
    if (gaps[x] === 0) continue
    for (let i = gaps[x]; i < Math.min(height, gaps[x] + ROWS); i++) {
      const at = (edge + step * i) * width + x
      if (states[at] !== LOST) places[count++] = at
    }
  }
  return places.subarray(0, count)
}

/** A place whose value more than half of the places have, or -1. */
function majority(raster: Raster, places: Uint32Array): number {
  let candidate = -1
  let lead = 0
  for (const at of places) {
    if (lead === 0) candidate = at
    lead += isEqual(raster, candidate, at) ? 1 : -1
  }
  let count = 0
  for (const at of places) if (isEqual(raster, candidate, at)) count++
  return count * 2 > places.length ? candidate : -1
}

/** Whether the pixels of a column from a place on, in a direction, are all known and equal for some rows. */
function isFlat(raster: Raster, from: number, step: number): boolean {
  const { width, height, states } = raster
  const row = Math.floor(from / width)
  if (step < 0 ? row + 1 < ROWS : height - row < ROWS) return false
  for (let i = 1; i < ROWS; i++) {
    const at = from + step * i * width
    if (states[at] === LOST || !isEqual(raster, from, at)) return false
  }
  return true
}

function isEqual({ bytesPerPixel, pixels }: Raster, one: number, other: number): boolean {
  for (let i = 0; i < bytesPerPixel; i++)
    if (pixels[one * bytesPerPixel + i] !== pixels[other * bytesPerPixel + i]) return false
  return true
}
