import type { BitReader } from '../../bytes/bit-reader.ts'
import * as code from './codes.ts'
import { readCoefficients } from './coefficients.ts'
import { FRAME, type Picture, type Sequence } from './headers.ts'

/** Heights above this put three more bits of the row in front of a slice. */
export const TALL = 2800
const FIELD_MOTION = 1
const TWO_VECTORS = 2
const DUAL_PRIME = 3

/** How far a slice is whole. */
export interface WholePart {
  /** Where its last whole macroblock ends, in bits; -1 for none. */
  end: number
}

/**
 * Reads a slice from behind its start code, ITU-T H.262 (02/2012) §6.2.4 to §6.2.6. Returns the place of its last macroblock
 * from the start of its row, or -1 when the bits are none. It ends with macroblock `macroblocks` - 1 from there (of its row,
 * or in MPEG-1 of the picture), or before where no macroblock follows. `whole` tells how far one goes that is torn.
 */
export function readSlice(
  bits: BitReader,
  sequence: Sequence,
  picture: Picture,
  macroblocks: number,
  whole?: WholePart,
): number {
  if (whole) whole.end = -1
  if (sequence.height > TALL) bits.skip(3)
  if (bits.bits(5) === 0) return -1
  while (bits.bit() === 1) {
    bits.skip(8)
    if (bits.overrun) return -1
  }
  let place = -1
  for (;;) {
    const increment = readIncrement(bits)
    if (increment < 0) return -1
    place += increment
    if (place >= macroblocks || !readMacroblock(bits, sequence, picture)) return -1
    if (whole && !bits.overrun) whole.end = bits.position
    if (place === macroblocks - 1) return place
    // 23 zeros announce a start code
    if (bits.peek(23) === 0) return place
  }
}

function readIncrement(bits: BitReader): number {
  let sum = 0
  for (;;) {
    const value = code.INCREMENT.read(bits)
    if (value < 0 || bits.overrun) return -1
    if (value === code.INCREMENT_STUFFING) continue
    if (value !== code.INCREMENT_ESCAPE) return sum + value
    sum += 33
  }
}

function readMacroblock(bits: BitReader, sequence: Sequence, picture: Picture): boolean {
  const type = code.MACROBLOCK_TYPE[picture.type]?.read(bits) ?? -1
  if (type < 0) return false
  const intra = (type & code.INTRA) !== 0
  const moves = (type & (code.FORWARD | code.BACKWARD)) !== 0
  const frame = picture.structure === FRAME
  let motion = frame ? TWO_VECTORS : FIELD_MOTION
  if (moves && (!frame || !picture.framePredictionOnly)) {
    motion = bits.bits(2)
    if (motion === 0) return false
  }
  if (frame && !picture.framePredictionOnly && (intra || (type & code.PATTERN) !== 0)) bits.skip(1)
  if ((type & code.QUANT) !== 0 && bits.bits(5) === 0) return false
  const conceals = intra && picture.concealmentVectors
  if ((type & code.FORWARD) !== 0 || conceals) {
    if (!readVectors(bits, picture, 0, motion)) return false
  }
  if ((type & code.BACKWARD) !== 0 && !readVectors(bits, picture, 2, motion)) return false
  if (conceals && bits.bit() === 0) return false
  const blocks = [0, 6, 8, 12][sequence.chromaFormat]
  if (intra) return readIntra(bits, sequence, picture, blocks)
  if ((type & code.PATTERN) === 0) return true
  const pattern = code.BLOCK_PATTERN.read(bits)
  if (pattern < 0) return false
  let coded = bitCount(pattern)
  if (blocks > 6) coded += bitCount(bits.bits(blocks - 6))
  const coding = { from: 0, tableOne: false, mpeg1: sequence.mpeg1 } as const
  for (let block = 0; block < coded; block++) if (!readCoefficients(bits, coding)) return false
  return true
}

function readIntra(bits: BitReader, sequence: Sequence, picture: Picture, blocks: number): boolean {
  const coding = { from: 1, tableOne: picture.tableOne, mpeg1: sequence.mpeg1 } as const
  for (let block = 0; block < blocks; block++) {
    const size = (block < 4 ? code.DC_LUMINANCE : code.DC_CHROMINANCE).read(bits)
    if (size < 0) return false
    bits.skip(size)
    if (picture.type !== 4 && !readCoefficients(bits, coding)) return false
  }
  // pictures of DC only end each macroblock with a one
  return picture.type !== 4 || bits.bit() === 1
}

/** motion_vectors(s), §6.2.5.2. `first` is the place of the direction's codes. */
function readVectors(bits: BitReader, picture: Picture, first: 0 | 2, motion: number): boolean {
  const frame = picture.structure === FRAME
  const dual = motion === DUAL_PRIME
  const two = frame ? motion === FIELD_MOTION : motion === TWO_VECTORS
  const selects = !dual && (two || !frame)
  for (let vector = 0; vector < (two ? 2 : 1); vector++) {
    if (selects) bits.skip(1)
    for (let axis = 0; axis < 2; axis++) {
      const magnitude = code.MOTION.read(bits)
      if (magnitude < 0) return false
      if (magnitude > 0) bits.skip(Math.max(1, picture.codes[first + axis]))
      // dmvector: 0, 10 or 11
      if (dual && bits.bit() === 1) bits.skip(1)
    }
  }
  return true
}

function bitCount(value: number): number {
  let count = 0
  for (let left = value; left > 0; left >>= 1) count += left & 1
  return count
}
