import type { BitReader } from '../../bytes/bit-reader.ts'
import { type CoefficientTable, INTER_COEFFICIENTS, INTRA_COEFFICIENTS } from '../vlc/coefficients.ts'
import * as mb from '../vlc/macroblock-codes.ts'
import { vlcOf } from '../vlc/vlc.ts'
import { readMotion } from './motion.ts'
import type { VideoObjectLayer } from './video-object-layer.ts'
import { VOP_B, VOP_I, VOP_S, type VopHeader } from './vop-header.ts'

/** dct_dc_size_luminance and dct_dc_size_chrominance, ISO/IEC 14496-2:2004 Tables B.13 and B.14. */
const DC_LUMINANCE = vlcOf(
  '011 11 10 010 001 0001 00001 000001 0000001 00000001 000000001 0000000001 00000000001',
)
const DC_CHROMINANCE = vlcOf(
  '11 10 01 001 0001 00001 000001 0000001 00000001 000000001 0000000001 00000000001 000000000001',
)
/** Table B.31: from this quantiser on intra DC is coded like the other coefficients. */
const DC_THRESHOLDS = [1000, 13, 15, 17, 19, 21, 23, 0]
/** dquant, Table 6-27. */
const DQUANT = [-1, -2, 1, 2]
/** Macroblock types of B planes, Table B.3. */
const DIRECT = 0
const INTERPOLATE = 1
const BACKWARD = 2

/** Reads single macroblocks, ISO/IEC 14496-2:2004 §6.2.6 and §6.2.7. */
export class MacroblockReader {
  /** The running quantiser. */
  quant = 1
  /**
   * Differential DC coefficients of the intra macroblock just read, where they are coded apart: four of luminance, two of colour.
   */
  readonly dc = new Int32Array(6)
  readonly #layer: VideoObjectLayer
  #dcBelow = 0

  constructor(layer: VideoObjectLayer) {
    this.#layer = layer
  }

  /** A plane begins. */
  start(vop: VopHeader): void {
    this.quant = vop.quant
    this.#dcBelow = DC_THRESHOLDS[vop.dcThreshold]
  }

  /** A macroblock of an I, P or S plane: 1 when it was left out, 0 when it was coded, -1 when it is none. */
  readReference(bits: BitReader, vop: VopHeader): number {
    let code: number
    do {
      // what global motion leaves out is moved all the same, so B planes code it
      if (vop.type !== VOP_I && bits.bit() === 1) return vop.type === VOP_S ? 0 : 1
      code = (vop.type === VOP_I ? mb.MCBPC_INTRA : mb.MCBPC_INTER).read(bits)
    } while (code === mb.STUFFING && !bits.overrun)
    if (code < 0) return -1
    const type = code >> 2
    // four vectors and a quantiser exist in H.263 only
    if (type === mb.MB_INTER_4V_Q) return -1
    const intra = type === mb.MB_INTRA || type === mb.MB_INTRA_Q
    const global = vop.type === VOP_S && !intra && type !== mb.MB_INTER_4V && bits.bit() === 1
    if (intra) bits.skip(1)
    const luminance = mb.CBPY.read(bits)
    if (luminance < 0) return -1
    const pattern = ((intra ? luminance : 15 - luminance) << 2) | (code & 3)
    const separateDc = this.quant < this.#dcBelow
    if (type === mb.MB_INTER_Q || type === mb.MB_INTRA_Q) this.#changeQuant(DQUANT[bits.bits(2)])
    const { interlaced } = this.#layer
    if (interlaced && (pattern !== 0 || intra)) bits.skip(1)
    if (!intra) {
      let vectors = type === mb.MB_INTER_4V ? 4 : global ? 0 : 1
      if (interlaced && vectors === 1 && bits.bit() === 1) {
        bits.skip(2)
        vectors = 2
      }
      for (let i = 0; i < vectors; i++) if (!readMotion(bits, vop.forward)) return -1
      return readBlocks(bits, pattern) ? 0 : -1
    }
    return readIntraBlocks(bits, pattern, separateDc, this.dc) ? 0 : -1
  }

  /** A macroblock of a B plane that is not left out for its reference; false when it is none. */
  readBidirectional(bits: BitReader, vop: VopHeader): boolean {
    if (bits.bit() === 1) return true
    const patterned = bits.bit() === 0
    let type = DIRECT
    while (bits.bit() === 0) if (++type > 3) return false
    const pattern = patterned ? bits.bits(6) : 0
    if (type !== DIRECT && pattern !== 0 && bits.bit() === 1) this.#changeQuant(bits.bit() === 1 ? 2 : -2)
    let fields = 1
    if (this.#layer.interlaced) {
      if (pattern !== 0) bits.skip(1)
      if (type !== DIRECT && bits.bit() === 1) {
        fields = 2
        bits.skip(type === INTERPOLATE ? 4 : 2)
      }
    }
    if (type === DIRECT) {
      if (!readMotion(bits, 1)) return false
    } else {
      for (let i = 0; type !== BACKWARD && i < fields; i++) if (!readMotion(bits, vop.forward)) return false
      const backward = type === BACKWARD || type === INTERPOLATE
      for (let i = 0; backward && i < fields; i++) if (!readMotion(bits, vop.backward)) return false
    }
    return readBlocks(bits, pattern)
  }

  /** Stuffing macroblocks may follow the last one of I and P planes. */
  skipStuffing(bits: BitReader, vop: VopHeader): boolean {
    const width = vop.type === VOP_I ? 9 : 10
    while (vop.type !== VOP_B && bits.peek(width) === 1 && !bits.overrun) bits.skip(width)
    return !bits.overrun
  }

  #changeQuant(by: number): void {
    this.quant = Math.min(Math.max(this.quant + by, 1), 2 ** this.#layer.quantBits - 1)
  }
}

function readBlocks(bits: BitReader, pattern: number): boolean {
  for (let block = 5; block >= 0; block--) {
    if (((pattern >> block) & 1) === 1 && !INTER_COEFFICIENTS.readBlock(bits, 0, readEscape)) return false
  }
  return true
}

function readIntraBlocks(bits: BitReader, pattern: number, separateDc: boolean, dc: Int32Array): boolean {
  for (let block = 5; block >= 0; block--) {
    if (separateDc) {
      const size = (block >= 2 ? DC_LUMINANCE : DC_CHROMINANCE).read(bits)
      if (size < 0) return false
      const value = bits.bits(size)
      dc[5 - block] = size > 0 && value < 2 ** (size - 1) ? value + 1 - 2 ** size : value
      if (size > 8 && bits.bit() === 0) return false
    }
    if (((pattern >> block) & 1) === 0) continue
    if (!INTRA_COEFFICIENTS.readBlock(bits, separateDc ? 1 : 0, readEscape)) return false
  }
  return true
}

/** The three escapes of §7.4.1.3. */
function readEscape(bits: BitReader, table: CoefficientTable): number {
  if (bits.bit() === 0) return table.readPlain(bits)
  if (bits.bit() === 0) return table.readLongRun(bits)
  const last = bits.bit()
  const run = bits.bits(6)
  if (bits.bit() === 0) return -1
  const level = bits.bits(12)
  if (level === 0 || bits.bit() === 0) return -1
  return run + last * 64
}
