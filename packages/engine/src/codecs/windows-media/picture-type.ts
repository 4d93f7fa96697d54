import { BitReader } from '../../bytes/bit-reader.ts'

/** Tells from a frame's beginning whether it is an intra picture; undefined when the bytes are no frame. */
export type PictureType = (head: Uint8Array) => 'intra' | 'predicted' | undefined

/** Two bits: 0 intra, 1 predicted (MS-MPEG4 versions 2 and 3, Windows Media Video 7). */
export function twoBitType(head: Uint8Array): ReturnType<PictureType> {
  const type = head[0] >> 6
  return type === 0 ? 'intra' : type === 1 ? 'predicted' : undefined
}

/** One bit: 0 intra, 1 predicted (Windows Media Video 8). */
export function oneBitType(head: Uint8Array): ReturnType<PictureType> {
  return head[0] < 128 ? 'intra' : 'predicted'
}

/** MS-MPEG4 version 1: a start code, five bits of frame number, then the two bits. */
export function startCodeType(head: Uint8Array): ReturnType<PictureType> {
  const bits = new BitReader(head)
  if (bits.bits(32) !== 0x100) return undefined
  bits.skip(5)
  const type = bits.bits(2)
  return bits.overrun || type > 1 ? undefined : type === 0 ? 'intra' : 'predicted'
}

/** Fields of STRUCT_C (SMPTE 421M-2006 Annex J.1.2) that the picture layer depends on. */
const RANGE_REDUCTION_BIT = 24
const MAX_B_FRAMES_BIT = 25
const INTERPOLATION_BIT = 30

/**
 * Windows Media Video 9 (VC-1 simple and main profile), SMPTE 421M-2006 §7.1: interpolation and frame count, range
 * reduction, then the type. `config` is STRUCT_C.
 */
export function mainProfileType(config: Uint8Array): PictureType {
  const bits = new BitReader(config, RANGE_REDUCTION_BIT)
  const rangeReduction = bits.bit() === 1
  bits.position = MAX_B_FRAMES_BIT
  const hasB = bits.bits(3) > 0
  bits.position = INTERPOLATION_BIT
  const interpolation = bits.bit() === 1
  return (head) => {
    const picture = new BitReader(head)
    picture.skip((interpolation ? 1 : 0) + 2 + (rangeReduction ? 1 : 0))
    if (picture.bit() === 1) return 'predicted'
    // a zero is an intra picture, unless bidirectional ones exist: then a one has to follow
    return !hasB || picture.bit() === 1 ? 'intra' : 'predicted'
  }
}

const SEQUENCE_START = 0x10f
const ENTRY_POINT = 0x10e
const FRAME = 0x10d

/**
 * VC-1 advanced profile, SMPTE 421M-2006 Annex E: an entry point leads an intra picture. A start code may be left out before
 * frames.
 */
export function advancedProfileType(head: Uint8Array): ReturnType<PictureType> {
  const bits = new BitReader(head)
  const code = bits.bits(32)
  if (code === SEQUENCE_START || code === ENTRY_POINT) return 'intra'
  if (code !== FRAME && code <= 0x1ff) return undefined
  return 'predicted'
}
