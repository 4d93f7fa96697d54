import type { BitReader } from '../../bytes/bit-reader.ts'

/** A picture header, ITU-T H.263 (01/2005) §5.1. */
export interface PictureHeader {
  readonly temporalReference: number
  readonly intra: boolean
  readonly width: number
  readonly height: number
  /** Macroblock rows of a group of blocks; infinitely many where there are no groups. */
  readonly rowsPerGroup: number
  /** Motion vectors over picture boundaries and four vectors a macroblock may occur. */
  readonly fourVectors: boolean
  /** Modified quantisation: DQUANT and escapes are coded otherwise (Annex T). */
  readonly modifiedQuantisation: boolean
  /** Escapes tell whether their level has seven bits or eleven. */
  readonly sizedLevels: boolean
  /** Uses a mode whose macroblock layer is not parsed. */
  readonly opaque: boolean
  /** Bits of the header that chance would have missed. */
  readonly evidence: number
}

export const START_CODE_BITS = 22
export const START_CODE = 0x20
/** Source formats, Table 1: sub-QCIF, QCIF, CIF, 4CIF, 16CIF. */
export const SIZES: readonly (readonly [number, number])[] = [
  [0, 0],
  [128, 96],
  [176, 144],
  [352, 288],
  [704, 576],
  [1408, 1152],
]
const EXTENDED = 7
const CUSTOM = 6

/** Reads a picture header from its start code on; undefined when it breaks the syntax. */
export function readPictureHeader(bits: BitReader): PictureHeader | undefined {
  if (bits.bits(START_CODE_BITS) !== START_CODE) return undefined
  const temporalReference = bits.bits(8)
  if (bits.bits(2) !== 2) return undefined
  bits.skip(3)
  const format = bits.bits(3)
  if (format === EXTENDED) return readPlusHeader(bits, temporalReference)
  const size = SIZES[format]
  if (format === 0 || !size) return undefined
  const intra = bits.bit() === 0
  bits.skip(1)
  const arithmetic = bits.bit() === 1
  const advancedPrediction = bits.bit() === 1
  const pbFrames = bits.bit() === 1
  if (bits.bits(5) === 0) return undefined
  const multipoint = bits.bit() === 1
  if (pbFrames && intra) return undefined
  if (!skipExtraInformation(bits)) return undefined
  return {
    temporalReference,
    intra,
    width: size[0],
    height: size[1],
    rowsPerGroup: rowsPerGroup(size[1]),
    fourVectors: advancedPrediction,
    modifiedQuantisation: false,
    sizedLevels: false,
    opaque: arithmetic || pbFrames || multipoint,
    evidence: START_CODE_BITS + 3,
  }
}

/** PLUSPTYPE, §5.1.4. */
function readPlusHeader(bits: BitReader, temporalReference: number): PictureHeader | undefined {
  const update = bits.bits(3)
  if (update !== 1) return undefined
  const format = bits.bits(3)
  const customClock = bits.bit() === 1
  const unlimitedVectors = bits.bit() === 1
  const arithmetic = bits.bit() === 1
  const advancedPrediction = bits.bit() === 1
  const advancedIntra = bits.bit() === 1
  const deblocking = bits.bit() === 1
  const slices = bits.bit() === 1
  const referenceSelection = bits.bit() === 1
  const independentSegments = bits.bit() === 1
  const alternativeInter = bits.bit() === 1
  const modifiedQuantisation = bits.bit() === 1
  if (bits.bits(4) !== 8) return undefined
  const type = bits.bits(3)
  const resampling = bits.bits(2)
  bits.skip(1)
  if (bits.bits(3) !== 1) return undefined
  const multipoint = bits.bit() === 1
  if (multipoint) bits.skip(2)
  let [width, height] = SIZES[format] ?? [0, 0]
  if (format === CUSTOM) {
    const aspect = bits.bits(4)
    width = (bits.bits(9) + 1) * 4
    if (bits.bit() !== 1) return undefined
    height = bits.bits(9) * 4
    if (aspect === 15) bits.skip(16)
  }
  if (width === 0 || height === 0 || type > 5) return undefined
  if (customClock) bits.skip(8 + 2)
  if (unlimitedVectors && bits.bit() === 0) bits.skip(1)
  const opaque =
    slices ||
    arithmetic ||
    unlimitedVectors ||
    advancedIntra ||
    alternativeInter ||
    referenceSelection ||
    independentSegments ||
    multipoint ||
    resampling !== 0 ||
    type > 1
  if (!opaque) {
    if (bits.bits(5) === 0) return undefined
    if (!skipExtraInformation(bits)) return undefined
  }
  return {
    temporalReference,
    intra: type === 0,
    width,
    height,
    rowsPerGroup: rowsPerGroup(height),
    fourVectors: advancedPrediction || deblocking,
    modifiedQuantisation,
    sizedLevels: false,
    opaque,
    evidence: START_CODE_BITS + 10,
  }
}

/** PEI and PSUPP: a bit tells whether eight more and another such bit follow. */
export function skipExtraInformation(bits: BitReader): boolean {
  while (bits.bit() === 1) {
    bits.skip(8)
    if (bits.overrun) return false
  }
  return true
}

/** §5.2.3: pictures up to 400 lines count one row a group, up to 800 two, else four. */
function rowsPerGroup(height: number): number {
  return height <= 400 ? 1 : height <= 800 ? 2 : 4
}
