import { BitReader } from '../../bytes/bit-reader.ts'
import { unescaped } from '../nal/rbsp.ts'
import { PPS } from './nal-types.ts'
import { skipScalingLists } from './sps.ts'

/** A picture parameter set, ITU-T H.265 (08/2021) §7.3.2.3, up to what slice headers need. */
export interface Pps {
  readonly id: number
  readonly spsId: number
  readonly dependentSlices: boolean
  readonly outputFlag: boolean
  readonly extraSliceHeaderBits: number
  readonly cabacInit: boolean
  readonly refIdxL0: number
  readonly refIdxL1: number
  readonly initQp: number
  readonly chromaQpOffsets: boolean
  readonly weightedPred: boolean
  readonly weightedBipred: boolean
  /** Slice headers carry entry points: tiles or wavefronts. */
  readonly entryPoints: boolean
  readonly tiles: boolean
  readonly wavefronts: boolean
  readonly signHiding: boolean
  readonly transformSkip: boolean
  /** diff_cu_qp_delta_depth, -1 where quantisers do not change within a slice. */
  readonly qpDeltaDepth: number
  readonly transquantBypass: boolean
  readonly loopFilterAcrossSlices: boolean
  readonly deblockingOverride: boolean
  readonly deblockingDisabled: boolean
  readonly listsModification: boolean
  readonly headerExtension: boolean
  readonly chromaQpOffsetList: boolean
  readonly currPicRef: boolean
  readonly actQpOffsets: boolean
  /** Some tool of the range extension that changes how blocks are coded is in use. */
  readonly rangeTools: boolean
  /** The NAL unit as it stood in the stream, header included. */
  readonly bytes: Uint8Array
}

/** Parses a PPS NAL unit of the base layer; undefined when it breaks the syntax or its ranges. */
export function parsePps(nal: Uint8Array): Pps | undefined {
  if (nal.length < 4 || nal[0] >> 1 !== PPS || (nal[0] & 1) !== 0 || nal[1] >> 3 !== 0) return undefined
  const bits = new BitReader(unescaped(nal), 16)
  const id = bits.ue()
  const spsId = bits.ue()
  if (id > 63 || spsId > 15) return undefined
  const dependentSlices = bits.bit() === 1
  const outputFlag = bits.bit() === 1
  const extraSliceHeaderBits = bits.bits(3)
  const signHiding = bits.bit() === 1
  const cabacInit = bits.bit() === 1
  const refIdxL0 = bits.ue() + 1
  const refIdxL1 = bits.ue() + 1
  const initQp = 26 + bits.se()
  bits.skip(1)
  const transformSkip = bits.bit() === 1
  const qpDeltaDepth = bits.bit() === 1 ? bits.ue() : -1
  if (qpDeltaDepth > 3) return undefined
  const cb = bits.se()
  const cr = bits.se()
  if (refIdxL0 > 15 || refIdxL1 > 15 || initQp < -48 || initQp > 51) return undefined
  if (Math.abs(cb) > 12 || Math.abs(cr) > 12) return undefined
  const chromaQpOffsets = bits.bit() === 1
  const weightedPred = bits.bit() === 1
  const weightedBipred = bits.bit() === 1
  const transquantBypass = bits.bit() === 1
  const tiles = bits.bit() === 1
  const wavefronts = bits.bit() === 1
  if (tiles && !skipTiles(bits)) return undefined
  const loopFilterAcrossSlices = bits.bit() === 1
  let deblockingOverride = false
  let deblockingDisabled = false
  if (bits.bit() === 1) {
    deblockingOverride = bits.bit() === 1
    deblockingDisabled = bits.bit() === 1
    if (!deblockingDisabled && (Math.abs(bits.se()) > 6 || Math.abs(bits.se()) > 6)) return undefined
  }
  if (bits.bit() === 1) skipScalingLists(bits)
  const listsModification = bits.bit() === 1
  bits.ue()
  const headerExtension = bits.bit() === 1
  if (bits.overrun) return undefined
  return {
    id,
    spsId,
    dependentSlices,
    outputFlag,
    extraSliceHeaderBits,
    cabacInit,
    refIdxL0,
    refIdxL1,
    initQp,
    chromaQpOffsets,
    weightedPred,
    weightedBipred,
    entryPoints: tiles || wavefronts,
    ...{ tiles, wavefronts, signHiding, transformSkip, qpDeltaDepth, transquantBypass },
    loopFilterAcrossSlices,
    deblockingOverride,
    deblockingDisabled,
    listsModification,
    headerExtension,
    ...readExtensions(bits, transformSkip),
    bytes: nal.slice(),
  }
}

function skipTiles(bits: BitReader): boolean {
  const columns = bits.ue() + 1
  const rows = bits.ue() + 1
  if (columns > 64 || rows > 64) return false
  if (bits.bit() === 0) for (let i = 0; i < columns + rows - 2; i++) bits.ue()
  bits.skip(1)
  return true
}

/** Range and screen content extensions, §7.3.2.3.2 and §7.3.2.3.3. */
function readExtensions(
  bits: BitReader,
  transformSkip: boolean,
): Pick<Pps, 'chromaQpOffsetList' | 'currPicRef' | 'actQpOffsets' | 'rangeTools'> {
  const none = { chromaQpOffsetList: false, currPicRef: false, actQpOffsets: false, rangeTools: false }
  if (bits.bit() === 0) return none
  const range = bits.bit() === 1
  const multilayer = bits.bit() === 1
  const depth = bits.bit() === 1
  const screen = bits.bit() === 1
  bits.skip(4)
  let chromaQpOffsetList = false
  let rangeTools = false
  if (range) {
    const largerSkips = transformSkip && bits.ue() > 0
    const crossComponent = bits.bit() === 1
    chromaQpOffsetList = bits.bit() === 1
    rangeTools = largerSkips || crossComponent || chromaQpOffsetList
    if (chromaQpOffsetList) {
      bits.ue()
      const entries = bits.ue() + 1
      for (let i = 0; i < entries && i < 6; i++) {
        bits.se()
        bits.se()
      }
    }
    bits.ue()
    bits.ue()
  }
  if (multilayer || depth || !screen || bits.overrun)
    return bits.overrun ? none : { ...none, chromaQpOffsetList, rangeTools }
  const currPicRef = bits.bit() === 1
  const actQpOffsets = bits.bit() === 1 && bits.bit() === 1
  return bits.overrun ? none : { chromaQpOffsetList, currPicRef, actQpOffsets, rangeTools }
}
