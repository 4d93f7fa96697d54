import { type AvcConfig, buildAvcC, parseAvcC } from './avcc.ts'
import { parseSps } from './sps.ts'
import { resizeSps } from './write-sets.ts'

/**
 * An `avcC` record with all that `known`, the record of an encoder whose headers read the same, says beyond what slices show
 * (colour quantisers, weights, where CAVLC starts), in the size of `found`. Undefined when the two read differently.
 */
export function likeEncoder(found: Uint8Array, known: Uint8Array): Uint8Array | undefined {
  const own = parseAvcC(found)
  const other = parseAvcC(known)
  if (!own || !other || !readSame(own, other)) return undefined
  const [sps] = own.sps
  const [template] = other.sps
  const sameSize = sps.widthInMbs === template.widthInMbs && sps.heightInMbs === template.heightInMbs
  const resized = sameSize ? template : parseSps(resizeSps(template, sps))
  return resized && buildAvcC([resized], other.pps, own.lengthSize)
}

/** Whether slices under both configurations have the same syntax, start from the same quantiser and use the same transforms. */
function readSame(a: AvcConfig, b: AvcConfig): boolean {
  const [spsA] = a.sps
  const [spsB] = b.sps
  const [ppsA] = a.pps
  const [ppsB] = b.pps
  if (!spsA || !spsB || !ppsA || !ppsB || b.sps.length > 1 || b.pps.length > 1) return false
  return (
    spsA.log2MaxFrameNum === spsB.log2MaxFrameNum &&
    spsA.pocType === spsB.pocType &&
    (spsA.pocType !== 0 || spsA.log2MaxPocLsb === spsB.log2MaxPocLsb) &&
    spsA.frameMbsOnly === spsB.frameMbsOnly &&
    spsA.chromaFormat === spsB.chromaFormat &&
    ppsA.id === ppsB.id &&
    ppsA.cabac === ppsB.cabac &&
    ppsA.bottomFieldPicOrder === ppsB.bottomFieldPicOrder &&
    ppsA.deblockingControl === ppsB.deblockingControl &&
    ppsA.weightedPred === ppsB.weightedPred &&
    ppsA.refIdxL0 === ppsB.refIdxL0 &&
    ppsA.transform8x8 === ppsB.transform8x8 &&
    (!ppsA.cabac || ppsA.initQp === ppsB.initQp)
  )
}
