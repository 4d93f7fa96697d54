import type { BitReader } from '../../bytes/bit-reader.ts'
import { type CoefficientTable, INTER_COEFFICIENTS } from '../vlc/coefficients.ts'
import {
  CBPY,
  MB_INTER_4V,
  MB_INTER_4V_Q,
  MB_INTER_Q,
  MB_INTRA,
  MB_INTRA_Q,
  MCBPC_INTER,
  MCBPC_INTRA,
  MOTION,
  STUFFING,
} from '../vlc/macroblock-codes.ts'
import type { PictureHeader } from './picture-header.ts'

/** GBSC and end of sequence begin with sixteen zeros and a one. */
const GROUP_CODE_BITS = 17
/** Group number of an end of sequence. */
const END_OF_SEQUENCE = 31

/** Reads the macroblocks behind a picture header, ITU-T H.263 (01/2005) §5.2 to §5.4. False when they are none. */
export function readPictureData(bits: BitReader, header: PictureHeader): boolean {
  const columns = Math.ceil(header.width / 16)
  const rows = Math.ceil(header.height / 16)
  const readEscape = escapesOf(header)
  for (let row = 0; row < rows; row++) {
    if (row > 0 && row % header.rowsPerGroup === 0 && !skipGroupHeader(bits)) return false
    for (let column = 0; column < columns; column++)
      if (!readMacroblock(bits, header, readEscape)) return false
  }
  skipEndOfSequence(bits)
  return !bits.overrun
}

/** Group of blocks headers may be left out; up to seven zeros align them. */
function skipGroupHeader(bits: BitReader): boolean {
  for (let stuffing = 0; stuffing < 8; stuffing++) {
    const ahead = bits.peek(GROUP_CODE_BITS + stuffing)
    if (ahead > 1) return true
    if (ahead === 0) continue
    bits.skip(GROUP_CODE_BITS + stuffing)
    const group = bits.bits(5)
    bits.skip(2)
    return group !== 0 && group < 25 && bits.bits(5) !== 0
  }
  return false
}

function skipEndOfSequence(bits: BitReader): void {
  for (let stuffing = 0; stuffing < 8; stuffing++) {
    if (bits.peek(GROUP_CODE_BITS + stuffing) !== 1) continue
    const before = bits.position
    bits.skip(GROUP_CODE_BITS + stuffing)
    if (bits.bits(5) !== END_OF_SEQUENCE) bits.position = before
    return
  }
}

/** Reads what follows an escape: run and last together, -1 where it is none. */
type ReadEscape = (bits: BitReader, table: CoefficientTable) => number

function escapesOf({ modifiedQuantisation, sizedLevels }: PictureHeader): ReadEscape {
  if (sizedLevels) return escapeSized
  return modifiedQuantisation ? escapeWithExtension : escapeFixed
}

function readMacroblock(bits: BitReader, header: PictureHeader, readEscape: ReadEscape): boolean {
  let code: number
  do {
    if (!header.intra && bits.bit() === 1) return true
    code = (header.intra ? MCBPC_INTRA : MCBPC_INTER).read(bits)
  } while (code === STUFFING && !bits.overrun)
  if (code < 0) return false
  const type = code >> 2
  const intra = type === MB_INTRA || type === MB_INTRA_Q
  const luminance = CBPY.read(bits)
  if (luminance < 0) return false
  const pattern = ((intra ? luminance : 15 - luminance) << 2) | (code & 3)
  if (type === MB_INTER_Q || type === MB_INTRA_Q || type === MB_INTER_4V_Q) {
    if (header.modifiedQuantisation && bits.bit() === 0) bits.skip(5)
    else bits.skip(header.modifiedQuantisation ? 1 : 2)
  }
  if (!intra) {
    const four = type === MB_INTER_4V || type === MB_INTER_4V_Q
    if (four && !header.fourVectors) return false
    for (let i = 0; i < (four ? 8 : 2); i++) if (!readMotion(bits)) return false
  }
  for (let block = 5; block >= 0; block--) {
    if (intra) {
      const dc = bits.bits(8)
      // 0 and 128 are no INTRADC values
      if (dc === 0 || dc === 128) return false
    }
    if (((pattern >> block) & 1) === 0) continue
    if (!INTER_COEFFICIENTS.readBlock(bits, intra ? 1 : 0, readEscape)) return false
  }
  return !bits.overrun
}

function readMotion(bits: BitReader): boolean {
  const magnitude = MOTION.read(bits)
  if (magnitude > 0) bits.skip(1)
  return magnitude >= 0
}

/** Last, run and level in fifteen bits; levels 0 and -128 are none (§5.4.2). */
function escapeFixed(bits: BitReader, _table: CoefficientTable): number {
  const last = bits.bit()
  const run = bits.bits(6)
  const level = bits.bits(8)
  return level === 0 || level === 128 ? -1 : run + last * 64
}

/** Annex T: level -128 stands for eleven more bits. */
function escapeWithExtension(bits: BitReader, _table: CoefficientTable): number {
  const last = bits.bit()
  const run = bits.bits(6)
  const level = bits.bits(8)
  if (level === 0) return -1
  if (level === 128) bits.skip(11)
  return run + last * 64
}

/** Sorenson H.263: a bit tells whether the level has eleven bits or seven. */
function escapeSized(bits: BitReader, _table: CoefficientTable): number {
  const long = bits.bit() === 1
  const last = bits.bit()
  const run = bits.bits(6)
  return bits.bits(long ? 11 : 7) === 0 ? -1 : run + last * 64
}
