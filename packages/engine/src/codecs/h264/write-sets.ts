import { BitWriter } from '../../bytes/bit-writer.ts'
import { escaped, unescaped } from '../nal/rbsp.ts'
import type { Sps } from './sps.ts'

/** Levels by the macroblocks of a picture and a second they allow, ITU-T H.264 (08/2021) Table A-1. */
const LEVELS: readonly (readonly [level: number, picture: number, second: number])[] = [
  [10, 99, 1485],
  [11, 396, 3000],
  [12, 396, 6000],
  [20, 396, 11_880],
  [21, 792, 19_800],
  [22, 1620, 20_250],
  [30, 1620, 40_500],
  [31, 3600, 108_000],
  [32, 5120, 216_000],
  [40, 8192, 245_760],
  [42, 8704, 522_240],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
  [52, 36_864, 2_073_600],
  [60, 139_264, 4_177_920],
]
/** Rate by which the level is chosen where none is known. */
const USUAL_RATE = 30

/** A picture size: coded in macroblocks, shown in luma samples. */
export interface CodedSize {
  readonly widthInMbs: number
  readonly heightInMbs: number
  readonly width: number
  readonly height: number
}

/** The sequence parameter set of a sister recording in another size: the same but for size, cropping and level. */
export function resizeSps(sps: Sps, size: CodedSize): Uint8Array {
  const payload = unescaped(sps.bytes)
  const writer = new BitWriter()
  const frames = sps.frameMbsOnly ? 1 : 2
  writer.copy(payload, 0, 24)
  writer.copy(payload, 24, sps.places.size)
  writeSize(writer, size, frames)
  // frame_mbs_only_flag … direct_8x8_inference_flag stand between size and cropping
  writer.copy(payload, sps.places.cropping - (sps.frameMbsOnly ? 2 : 3), sps.places.cropping)
  writeCropping(writer, size, sps.chromaFormat, frames)
  writer.copy(payload, sps.places.rest, lastBit(payload))
  const bytes = writer.trailing()
  bytes[3] = Math.max(sps.level, levelOf(size, USUAL_RATE))
  return escaped(bytes)
}

/** What a sequence parameter set written from scratch says; all else is what most encoders say. */
export interface SpsFields extends CodedSize {
  /** profile_idc: 66, 77, 100, 110 or 122. */
  readonly profile: number
  /** chroma_format_idc: 1 or 2; other than 1 only from profile 122 on. */
  readonly chromaFormat: number
  /** 8, or up to 10 from profile 110 on. */
  readonly bitDepth: number
  readonly log2MaxFrameNum: number
  /** 0 or 2. */
  readonly pocType: number
  readonly log2MaxPocLsb: number
  readonly refFrames: number
  /** Pictures that may be shown later than decoded. */
  readonly reorderFrames: number
  /** Frames are interlaced, their macroblocks coded in pairs. */
  readonly pairs?: boolean
}

/** A sequence parameter set of progressive pictures, or of frames in pairs of macroblocks. */
export function writeSps(fields: SpsFields): Uint8Array {
  const writer = new BitWriter()
  writer.bits(0x67, 8)
  writer.bits(fields.profile, 8)
  writer.bits(0, 8)
  writer.bits(levelOf(fields, USUAL_RATE), 8)
  writer.ue(0)
  if (fields.profile >= 100) {
    writer.ue(fields.chromaFormat)
    writer.ue(fields.bitDepth - 8)
    writer.ue(fields.bitDepth - 8)
    writer.bits(0, 2)
  }
  writer.ue(fields.log2MaxFrameNum - 4)
  writer.ue(fields.pocType)
  if (fields.pocType === 0) writer.ue(fields.log2MaxPocLsb - 4)
  writer.ue(fields.refFrames)
  writer.bit(0)
  const frames = fields.pairs ? 2 : 1
  writeSize(writer, fields, frames)
  writer.bit(fields.pairs ? 0 : 1)
  if (fields.pairs) writer.bit(1)
  writer.bit(1)
  writeCropping(writer, fields, fields.chromaFormat, frames)
  // a VUI with nothing but the reordering: without it players wait for as many pictures as could be reordered
  writer.bit(1)
  writer.bits(0, 8)
  writer.bit(1)
  writer.bit(1)
  writer.ue(0)
  writer.ue(0)
  writer.ue(10)
  writer.ue(10)
  writer.ue(fields.reorderFrames)
  writer.ue(Math.max(fields.refFrames, fields.reorderFrames))
  return escaped(writer.trailing())
}

/** What a picture parameter set written from scratch says. */
export interface PpsFields {
  readonly cabac: boolean
  readonly bottomFieldPicOrder: boolean
  readonly refIdxL0: number
  readonly weightedPred: boolean
  readonly weightedBipred: number
  readonly initQp: number
  readonly chromaQpOffset: number
  readonly deblockingControl: boolean
  readonly transform8x8: boolean
}

export function writePps(fields: PpsFields): Uint8Array {
  const writer = new BitWriter()
  writer.bits(0x68, 8)
  writer.ue(0)
  writer.ue(0)
  writer.bit(fields.cabac ? 1 : 0)
  writer.bit(fields.bottomFieldPicOrder ? 1 : 0)
  writer.ue(0)
  writer.ue(fields.refIdxL0 - 1)
  writer.ue(0)
  writer.bit(fields.weightedPred ? 1 : 0)
  writer.bits(fields.weightedBipred, 2)
  writer.se(fields.initQp - 26)
  writer.se(0)
  writer.se(fields.chromaQpOffset)
  writer.bit(fields.deblockingControl ? 1 : 0)
  writer.bit(0)
  writer.bit(0)
  if (fields.transform8x8) {
    writer.bit(1)
    writer.bit(0)
    writer.se(fields.chromaQpOffset)
  }
  return escaped(writer.trailing())
}

function writeSize(writer: BitWriter, size: CodedSize, frames: 1 | 2): void {
  writer.ue(size.widthInMbs - 1)
  writer.ue(size.heightInMbs / frames - 1)
}

function writeCropping(writer: BitWriter, size: CodedSize, chromaFormat: number, frames: 1 | 2): void {
  const right = size.widthInMbs * 16 - size.width
  const bottom = size.heightInMbs * 16 - size.height
  if (right === 0 && bottom === 0) {
    writer.bit(0)
    return
  }
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1
  const unitY = (chromaFormat === 1 ? 2 : 1) * frames
  writer.bit(1)
  for (const offset of [0, right / unitX, 0, bottom / unitY]) writer.ue(Math.floor(offset))
}

function levelOf(size: CodedSize, rate: number): number {
  const macroblocks = size.widthInMbs * size.heightInMbs
  const fits = LEVELS.find(([, picture, second]) => macroblocks <= picture && macroblocks * rate <= second)
  return fits?.[0] ?? 62
}

/** Position of the trailing bit: what stands before it is the set. */
function lastBit(payload: Uint8Array): number {
  let last = payload.length - 1
  while (last > 0 && payload[last] === 0) last--
  return last * 8 + 7 - (31 - Math.clz32(payload[last] & -payload[last]))
}
