import { BLOCK_COEFFICIENTS } from './mcu-layout.ts'
import { ZIGZAG } from './zigzag.ts'

const SIDE = 8

/** `BASIS[x * 8 + u]`: what coefficient `u` adds at sample `x`, ITU-T T.81 §A.3.3. */
export const BASIS = Float64Array.from({ length: BLOCK_COEFFICIENTS }, (_, i) => {
  const x = i >> 3
  const u = i & 7
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16)
})

/** Steps of one, for what compares blocks whose own steps are not known. */
export const UNQUANTISED = new Uint8Array(BLOCK_COEFFICIENTS).fill(1)

const columns = new Float64Array(BLOCK_COEFFICIENTS)

/**
 * Samples of a block, without the level shift: row by row into `out` from `to`. `coefficients` from `offset` in zigzag order,
 * `quantisation` likewise; `dc` is added to the block's own.
 */
export function inverseDct(
  coefficients: Int16Array,
  offset: number,
  quantisation: ArrayLike<number>,
  dc: number,
  out: Float32Array,
  to: number,
): void {
  columns.fill(0)
  for (let i = 0; i < BLOCK_COEFFICIENTS; i++) {
    const coefficient = i === 0 ? coefficients[offset] + dc : coefficients[offset + i]
    if (coefficient === 0) continue
    const value = coefficient * quantisation[i]
    const place = ZIGZAG[i]
    const u = place & 7
    const v = place >> 3
    for (let y = 0; y < SIDE; y++) columns[y * SIDE + u] += value * BASIS[y * SIDE + v]
  }
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      let sum = 0
      for (let u = 0; u < SIDE; u++) sum += columns[y * SIDE + u] * BASIS[x * SIDE + u]
      out[to + y * SIDE + x] = sum
    }
  }
}

/** Coefficients of a block of samples without level shift, divided by `quantisation` and rounded, in zigzag order. */
export function forwardDct(
  samples: Float32Array,
  from: number,
  quantisation: ArrayLike<number>,
  out: Int16Array,
  offset: number,
): void {
  for (let y = 0; y < SIDE; y++) {
    for (let u = 0; u < SIDE; u++) {
      let sum = 0
      for (let x = 0; x < SIDE; x++) sum += samples[from + y * SIDE + x] * BASIS[x * SIDE + u]
      columns[y * SIDE + u] = sum
    }
  }
  for (let i = 0; i < BLOCK_COEFFICIENTS; i++) {
    const u = ZIGZAG[i] & 7
    const v = ZIGZAG[i] >> 3
    let sum = 0
    for (let y = 0; y < SIDE; y++) sum += columns[y * SIDE + u] * BASIS[y * SIDE + v]
    out[offset + i] = Math.round(sum / quantisation[i])
  }
}

const rowSums = new Float64Array(SIDE)
/** By row of samples and coefficient in zigzag order: what it adds to the sum of its column. */
const ROW_BASIS = Float64Array.from(
  { length: SIDE * BLOCK_COEFFICIENTS },
  (_, i) => BASIS[(i >> 6) * SIDE + (ZIGZAG[i & 63] >> 3)],
)
const COLUMN_OF = Uint8Array.from(ZIGZAG, (place) => place & 7)

/** One row of samples of a block, `y` 0 to 7, without level shift, into `out` from `to`: what a border with a neighbour needs. */
export function inverseDctRow(
  coefficients: Int16Array,
  offset: number,
  quantisation: ArrayLike<number>,
  y: number,
  out: Float32Array,
  to: number,
): void {
  const sums = rowSums
  sums.fill(0)
  const base = y * BLOCK_COEFFICIENTS
  for (let i = 0; i < BLOCK_COEFFICIENTS; i++) {
    const coefficient = coefficients[offset + i]
    if (coefficient !== 0) sums[COLUMN_OF[i]] += coefficient * quantisation[i] * ROW_BASIS[base + i]
  }
  // samples at equal distances from both ends share what even columns add, and have opposite shares of odd ones
  for (let x = 0; x < SIDE / 2; x++) {
    const at = x * SIDE
    const even =
      sums[0] * BASIS[at] + sums[2] * BASIS[at + 2] + sums[4] * BASIS[at + 4] + sums[6] * BASIS[at + 6]
    const odd =
      sums[1] * BASIS[at + 1] + sums[3] * BASIS[at + 3] + sums[5] * BASIS[at + 5] + sums[7] * BASIS[at + 7]
    out[to + x] = even + odd
    out[to + SIDE - 1 - x] = even - odd
  }
}

const columnSums = new Float64Array(SIDE)

/** One column of samples of a block, `x` 0 to 7, without level shift, into `out` from `to`; `dc` is added to the block's own. */
export function inverseDctColumn(
  coefficients: Int16Array,
  offset: number,
  quantisation: ArrayLike<number>,
  dc: number,
  x: number,
  out: Float32Array,
  to: number,
): void {
  columnSums.fill(0)
  const base = x * SIDE
  for (let i = 0; i < BLOCK_COEFFICIENTS; i++) {
    const coefficient = i === 0 ? coefficients[offset] + dc : coefficients[offset + i]
    if (coefficient === 0) continue
    const place = ZIGZAG[i]
    columnSums[place >> 3] += coefficient * quantisation[i] * BASIS[base + (place & 7)]
  }
  for (let y = 0; y < SIDE; y++) {
    let sum = 0
    for (let v = 0; v < SIDE; v++) sum += columnSums[v] * BASIS[y * SIDE + v]
    out[to + y] = sum
  }
}
