import type { BitReader } from '../../bytes/bit-reader.ts'

/** Shape of a picture's samples and its colours by their numbers in ISO/IEC 23091-2; 2 stands for what is not said. */
export interface Look {
  readonly sarWidth: number
  readonly sarHeight: number
  readonly fullRange: boolean
  readonly colourPrimaries: number
  readonly transfer: number
  readonly matrix: number
}

/** Number of primaries, transfer and matrix that are not said. */
export const NOT_SAID = 2
const EXTENDED_SAR = 255

/** Sample aspect ratios by number, ITU-T H.264 (08/2021) Table E-1, which ITU-T H.265 shares; 0 is not said. */
const ASPECT_RATIOS: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
]

/** Reads the fields with which video usability information begins, the same in ITU-T H.264 E.1.1 and ITU-T H.265 E.2.1. */
export function parseLook(bits: BitReader): Look {
  let [sarWidth, sarHeight] = [1, 1]
  if (bits.bit() === 1) {
    const ratio = bits.bits(8)
    if (ratio === EXTENDED_SAR) {
      sarWidth = bits.bits(16)
      sarHeight = bits.bits(16)
    } else {
      ;[sarWidth, sarHeight] = ASPECT_RATIOS[ratio] ?? [1, 1]
    }
  }
  if (bits.bit() === 1) bits.skip(1)
  let fullRange = false
  let [colourPrimaries, transfer, matrix] = [NOT_SAID, NOT_SAID, NOT_SAID]
  if (bits.bit() === 1) {
    bits.skip(3)
    fullRange = bits.bit() === 1
    if (bits.bit() === 1) {
      colourPrimaries = bits.bits(8)
      transfer = bits.bits(8)
      matrix = bits.bits(8)
    }
  }
  if (bits.bit() === 1) {
    bits.ue()
    bits.ue()
  }
  return { sarWidth, sarHeight, fullRange, colourPrimaries, transfer, matrix }
}
