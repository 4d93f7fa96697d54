import { RendererError } from '../../errors.ts'
import { BitReader } from './nal.ts'

/**
 * What the parameter sets of our own encoder say about its slice headers (ITU-T H.265 §7.3.2.2, §7.3.2.3, §7.3.6). Tools that the
 * encoder is told not to use are refused rather than read.
 */
export interface SliceSyntax {
  readonly sequence: SequenceSyntax
  readonly picture: PictureSyntax
}

interface SequenceSyntax {
  /** Bits of its identifier: first and end. */
  readonly id: readonly [number, number]
  readonly separatePlanes: boolean
  readonly monochrome: boolean
  readonly orderBits: number
  readonly offsets: boolean
  readonly referenceSets: number
  readonly motionPrediction: boolean
}

interface PictureSyntax {
  readonly outputFlag: boolean
  readonly extraBits: number
  readonly contextFlag: boolean
  readonly references: readonly [number, number]
  readonly chromaOffsets: boolean
  readonly acrossSlices: boolean
  readonly deblockingOverride: boolean
  readonly deblockingOff: boolean
}

const HEADER_BITS = 16
/** General profile, tier and level of a stream without sub-layers. */
const PROFILE_BITS = 96

/** @param payload the unit without emulation prevention */
export function readSequence(payload: Buffer): SequenceSyntax {
  const r = new BitReader(payload, HEADER_BITS + 4)
  if (r.bits(3) !== 0) throw surprise('sub-layers')
  r.position += 1 + PROFILE_BITS
  const start = r.position
  r.unsigned()
  const id = [start, r.position] as const
  const chroma = r.unsigned()
  const separatePlanes = chroma === 3 && r.bit() === 1
  r.unsigned()
  r.unsigned()
  if (r.bit()) for (let i = 0; i < 4; i++) r.unsigned()
  r.unsigned()
  r.unsigned()
  const orderBits = r.unsigned() + 4
  r.bit()
  // Buffer sizes, then sizes and depths of blocks.
  for (let i = 0; i < 3 + 6; i++) r.unsigned()
  if (r.bit()) throw surprise('scaling lists')
  r.bit()
  const offsets = r.bit() === 1
  if (r.bit()) throw surprise('plain samples')
  const referenceSets = r.unsigned()
  for (let i = 0; i < referenceSets; i++) readReferenceSet(r, i)
  if (r.bit()) throw surprise('long-term references')
  const motionPrediction = r.bit() === 1
  return { id, separatePlanes, monochrome: chroma === 0, orderBits, offsets, referenceSets, motionPrediction }
}

/** @param payload the unit without emulation prevention */
export function readPicture(payload: Buffer): PictureSyntax {
  const r = new BitReader(payload, HEADER_BITS)
  r.unsigned()
  r.unsigned()
  if (r.bit()) throw surprise('dependent slices')
  const outputFlag = r.bit() === 1
  const extraBits = r.bits(3)
  r.bit()
  const contextFlag = r.bit() === 1
  const references = [r.unsigned() + 1, r.unsigned() + 1] as const
  r.signed()
  r.bits(2)
  if (r.bit()) r.unsigned()
  r.signed()
  r.signed()
  const chromaOffsets = r.bit() === 1
  if (r.bits(2)) throw surprise('weighted prediction')
  r.bit()
  if (r.bits(2)) throw surprise('tiles or rows in parallel')
  const acrossSlices = r.bit() === 1
  let deblockingOverride = false
  let deblockingOff = false
  if (r.bit()) {
    deblockingOverride = r.bit() === 1
    deblockingOff = r.bit() === 1
    if (!deblockingOff) {
      r.signed()
      r.signed()
    }
  }
  if (r.bit()) throw surprise('scaling lists')
  if (r.bit()) throw surprise('reordered references')
  r.unsigned()
  if (r.bit()) throw surprise('longer slice headers')
  return {
    outputFlag,
    extraBits,
    contextFlag,
    references,
    chromaOffsets,
    acrossSlices,
    deblockingOverride,
    deblockingOff,
  }
}

/** Where the identifier of the picture parameter set lies in a slice, and where the header ends, in bits. */
export interface SliceHeader {
  readonly id: readonly [number, number]
  readonly end: number
}

/** @param payload the unit without emulation prevention */
export function readSlice(payload: Buffer, { sequence, picture }: SliceSyntax): SliceHeader {
  const type = ((payload[0] ?? 0) >> 1) & 63
  const r = new BitReader(payload, HEADER_BITS)
  if (r.bit() === 0) throw surprise('several slices')
  if (type >= 16 && type <= 23) r.bit()
  const start = r.position
  r.unsigned()
  const id = [start, r.position] as const
  r.position += picture.extraBits
  const kind = r.unsigned()
  if (picture.outputFlag) r.bit()
  if (sequence.separatePlanes) r.bits(2)
  let motion = false
  if (type !== 19 && type !== 20) {
    r.position += sequence.orderBits
    if (r.bit() === 0) readReferenceSet(r, sequence.referenceSets)
    else if (sequence.referenceSets > 1) r.bits(Math.ceil(Math.log2(sequence.referenceSets)))
    motion = sequence.motionPrediction && r.bit() === 1
  }
  const luma = sequence.offsets && r.bit() === 1
  const chroma = sequence.offsets && !sequence.monochrome && !sequence.separatePlanes && r.bit() === 1
  if (kind !== INTRA) readReferences(r, kind, motion, picture)
  r.signed()
  if (picture.chromaOffsets) {
    r.signed()
    r.signed()
  }
  let off = picture.deblockingOff
  if (picture.deblockingOverride && r.bit() === 1) {
    off = r.bit() === 1
    if (!off) {
      r.signed()
      r.signed()
    }
  }
  if (picture.acrossSlices && (luma || chroma || !off)) r.bit()
  // The header ends with a one and zeros up to the next byte (§7.3.2.12).
  const end = r.position
  if (r.bit() !== 1) throw surprise('a header of another end')
  while (r.position % 8 !== 0) if (r.bit() !== 0) throw surprise('a header of another end')
  return { id, end }
}

const BOTH = 0
const INTRA = 2

function readReferences(r: BitReader, kind: number, motion: boolean, picture: PictureSyntax): void {
  let [first, second] = picture.references
  if (r.bit()) {
    first = r.unsigned() + 1
    if (kind === BOTH) second = r.unsigned() + 1
  }
  if (kind === BOTH) r.bit()
  if (picture.contextFlag) r.bit()
  if (motion) {
    const fromFirst = kind !== BOTH || r.bit() === 1
    if ((fromFirst ? first : second) > 1) r.unsigned()
  }
  r.unsigned()
}

/** st_ref_pic_set() of §7.3.7. */
function readReferenceSet(r: BitReader, index: number): void {
  if (index > 0 && r.bit()) throw surprise('predicted reference sets')
  const pictures = r.unsigned() + r.unsigned()
  if (pictures > 32) throw surprise('more references than there can be')
  for (let i = 0; i < pictures; i++) {
    r.unsigned()
    r.bit()
  }
}

function surprise(what: string): RendererError {
  return new RendererError('unsupported', `the encoder of HEVC uses ${what}`)
}
