import { BitWriter } from '../../bytes/bit-writer.ts'
import { escaped, stopBit, unescaped } from '../nal/rbsp.ts'
import type { BitDepth } from './bit-depth.ts'
import type { Sps } from './sps.ts'

/** Levels by the luma samples of a picture and a second they allow, ITU-T H.265 (08/2021) Tables A.8 and A.9. */
const LEVELS: readonly (readonly [level: number, picture: number, second: number])[] = [
  [60, 122_880, 3_686_400],
  [63, 245_760, 7_372_800],
  [90, 552_960, 16_588_800],
  [93, 983_040, 33_177_600],
  [120, 2_228_224, 66_846_720],
  [123, 2_228_224, 133_693_440],
  [150, 8_912_896, 267_386_880],
  [153, 8_912_896, 534_773_760],
  [156, 8_912_896, 1_069_547_520],
  [180, 35_651_584, 1_069_547_520],
]
const HIGHEST = 183
/**
 * Profiles of 8 and of up to 10 bits, and where the unescaped unit names its profile and the first of those it is compatible
 * with, §A.3.
 */
const MAIN = 1
const MAIN_10 = 2
const PROFILE_AT = 3
const COMPATIBLE_AT = 4
const COMPATIBLE_WITH_MAIN = 0x60
const COMPATIBLE_WITH_MAIN_10 = 0x20
const USUAL_RATE = 30
/** Byte of general_level_idc in the unescaped unit. */
const LEVEL_AT = 14

/** A picture size: coded and shown, in luma samples. */
export interface CodedSize {
  readonly codedWidth: number
  readonly codedHeight: number
  readonly width: number
  readonly height: number
}

/**
 * Pictures that decoders of every level hold at least, ITU-T H.265 (08/2021) §A.4.2, and that wait for others in deep pyramids.
 */
const HELD = 6
const REORDERED = 4
const MOST_HELD = 16

/**
 * The sequence parameter set of a sister recording in another size: the same but for size, cropping, level, and how many pictures
 * wait for others, which the sister's encoder may have been set to otherwise. Too many only delay, too few lose pictures.
 */
export function resizeSps(sps: Sps, size: CodedSize): Uint8Array {
  const payload = unescaped(sps.bytes)
  const writer = new BitWriter()
  writer.copy(payload, 0, sps.places.size)
  writer.ue(size.codedWidth)
  writer.ue(size.codedHeight)
  const right = size.codedWidth - size.width
  const bottom = size.codedHeight - size.height
  writer.bit(right > 0 || bottom > 0 ? 1 : 0)
  if (right > 0 || bottom > 0) {
    const unitX = sps.chromaFormat === 1 || sps.chromaFormat === 2 ? 2 : 1
    const unitY = sps.chromaFormat === 1 ? 2 : 1
    for (const offset of [0, right / unitX, 0, bottom / unitY]) writer.ue(Math.floor(offset))
  }
  const { rest, held } = sps.places
  writer.copy(payload, rest, held.from)
  writer.bit(0)
  writer.ue(Math.min(Math.max(sps.heldPictures, HELD), MOST_HELD) - 1)
  writer.ue(Math.max(sps.reorderPictures, REORDERED))
  // no limit of latency
  writer.ue(0)
  writer.copy(payload, held.until, stopBit(payload))
  const bytes = writer.trailing()
  const samples = size.codedWidth * size.codedHeight
  const level = LEVELS.find(([, picture, second]) => samples <= picture && samples * USUAL_RATE <= second)
  bytes[LEVEL_AT] = Math.max(bytes[LEVEL_AT], level?.[0] ?? HIGHEST)
  return escaped(bytes)
}

/** The sequence parameter set of a recording with samples of another depth: the same but for that and the profile. */
export function withDepth(sps: Sps, depth: BitDepth): Uint8Array {
  const payload = unescaped(sps.bytes)
  const { from, until } = sps.places.depths
  const writer = new BitWriter()
  writer.copy(payload, 0, from)
  writer.ue(depth - 8)
  writer.ue(depth - 8)
  writer.copy(payload, until, stopBit(payload))
  const bytes = writer.trailing()
  const profile = bytes[PROFILE_AT] & 0x1f
  if (profile === MAIN || profile === MAIN_10) {
    bytes[PROFILE_AT] = (bytes[PROFILE_AT] & 0xe0) | (depth > 8 ? MAIN_10 : MAIN)
    bytes[COMPATIBLE_AT] = depth > 8 ? COMPATIBLE_WITH_MAIN_10 : COMPATIBLE_WITH_MAIN
  }
  return escaped(bytes)
}
