import { BitReader } from '../../bytes/bit-reader.ts'
import { stopBit, unescaped } from '../nal/rbsp.ts'

/** A picture parameter set, ITU-T H.264 (08/2021) §7.3.2.2, up to what slice headers need. */
export interface Pps {
  readonly id: number
  readonly spsId: number
  readonly cabac: boolean
  readonly bottomFieldPicOrder: boolean
  readonly sliceGroups: number
  readonly sliceGroupMapType: number
  readonly sliceGroupChangeRate: number
  readonly refIdxL0: number
  readonly refIdxL1: number
  readonly weightedPred: boolean
  readonly weightedBipred: number
  /** 26 + pic_init_qp_minus26. */
  readonly initQp: number
  readonly deblockingControl: boolean
  readonly redundantPicCnt: boolean
  readonly transform8x8: boolean
  /** The NAL unit as it stood in the stream, header included. */
  readonly bytes: Uint8Array
}

/** Parses a PPS NAL unit (header included, emulation prevention in place); undefined when it breaks the syntax or its ranges. */
export function parsePps(nal: Uint8Array): Pps | undefined {
  if (nal.length < 2 || (nal[0] & 0x9f) !== 8) return undefined
  const payload = unescaped(nal)
  const bits = new BitReader(payload, 8)
  const id = bits.ue()
  const spsId = bits.ue()
  if (id > 255 || spsId > 31) return undefined
  const cabac = bits.bit() === 1
  const bottomFieldPicOrder = bits.bit() === 1
  const sliceGroups = bits.ue() + 1
  if (sliceGroups > 8) return undefined
  let sliceGroupMapType = 0
  let sliceGroupChangeRate = 0
  if (sliceGroups > 1) {
    sliceGroupMapType = bits.ue()
    if (sliceGroupMapType > 6) return undefined
    if (sliceGroupMapType === 0) {
      for (let i = 0; i < sliceGroups; i++) bits.ue()
    } else if (sliceGroupMapType === 2) {
      for (let i = 0; i < sliceGroups - 1; i++) {
        bits.ue()
        bits.ue()
      }
    } else if (sliceGroupMapType <= 5 && sliceGroupMapType >= 3) {
      bits.skip(1)
      sliceGroupChangeRate = bits.ue() + 1
    } else if (sliceGroupMapType === 6) {
      const units = bits.ue() + 1
      const width = sliceGroups > 4 ? 3 : sliceGroups > 2 ? 2 : 1
      bits.skip(units * width)
    }
  }
  const refIdxL0 = bits.ue() + 1
  const refIdxL1 = bits.ue() + 1
  const weightedPred = bits.bit() === 1
  const weightedBipred = bits.bits(2)
  const initQp = 26 + bits.se()
  const initQs = 26 + bits.se()
  const chromaOffset = bits.se()
  const deblockingControl = bits.bit() === 1
  bits.skip(1)
  const redundantPicCnt = bits.bit() === 1
  // more_rbsp_data: the extension stands there when anything but the trailing bits does
  const transform8x8 = bits.position < stopBit(payload) && bits.bit() === 1
  if (bits.overrun || refIdxL0 > 32 || refIdxL1 > 32 || weightedBipred > 2) return undefined
  if (initQp < -36 || initQp > 51 || initQs < 0 || initQs > 51 || Math.abs(chromaOffset) > 12)
    return undefined
  return {
    id,
    spsId,
    cabac,
    bottomFieldPicOrder,
    sliceGroups,
    sliceGroupMapType,
    sliceGroupChangeRate,
    refIdxL0,
    refIdxL1,
    weightedPred,
    weightedBipred,
    initQp,
    deblockingControl,
    redundantPicCnt,
    transform8x8,
    bytes: nal.slice(),
  }
}
