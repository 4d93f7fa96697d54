import type { BitReader } from '../../bytes/bit-reader.ts'
import { vlcOf } from '../vlc/vlc.ts'
import type { VideoObjectLayer } from './video-object-layer.ts'

/** vop_coding_type, ISO/IEC 14496-2:2004 Table 6-20. */
export const VOP_I = 0
export const VOP_P = 1
export const VOP_B = 2
export const VOP_S = 3

/** A video object plane's header, §6.2.5. */
export interface VopHeader {
  type: number
  /** Seconds counted from the time base of the last reference plane. */
  seconds: number
  /** Ticks within the second. */
  increment: number
  coded: boolean
  dcThreshold: number
  quant: number
  forward: number
  backward: number
}

/** Seconds a time base may advance at once: pauses of a still scene, not noise. */
const MAX_SECONDS = 60

/** dmv_length, Table B.33. */
const WARP_LENGTH = vlcOf(
  '00 010 011 100 101 110 1110 11110 111110 1111110 11111110 111111110 1111111110 11111111110 111111111110',
)

export function emptyVop(): VopHeader {
  return {
    type: VOP_I,
    seconds: 0,
    increment: 0,
    coded: false,
    dcThreshold: 0,
    quant: 0,
    forward: 1,
    backward: 1,
  }
}

/** Reads a header behind its start code; false when it breaks the syntax. */
export function readVopHeader(bits: BitReader, layer: VideoObjectLayer, vop: VopHeader): boolean {
  vop.type = bits.bits(2)
  vop.seconds = 0
  while (bits.bit() === 1) if (++vop.seconds > MAX_SECONDS) return false
  if (bits.bit() === 0) return false
  vop.increment = bits.bits(layer.timeBits)
  if (vop.increment >= layer.timeResolution || bits.bit() === 0) return false
  vop.coded = bits.bit() === 1
  if (!vop.coded) return !bits.overrun
  if (vop.type === VOP_S && layer.warpingPoints < 0) return false
  if (vop.type === VOP_P || vop.type === VOP_S) bits.skip(1)
  vop.dcThreshold = bits.bits(3)
  if (layer.interlaced) bits.skip(2)
  if (vop.type === VOP_S && !skipWarping(bits, layer)) return false
  vop.quant = bits.bits(layer.quantBits)
  if (vop.quant === 0) return false
  vop.forward = 1
  vop.backward = 1
  if (vop.type !== VOP_I) vop.forward = bits.bits(3)
  if (vop.type === VOP_B) vop.backward = bits.bits(3)
  return vop.forward > 0 && vop.backward > 0 && !bits.overrun
}

/** sprite_trajectory, §6.2.5.4. */
export function skipWarping(bits: BitReader, layer: VideoObjectLayer): boolean {
  for (let i = 0; i < layer.warpingPoints; i++) {
    for (let axis = 0; axis < 2; axis++) {
      const length = WARP_LENGTH.read(bits)
      if (length < 0) return false
      bits.skip(length)
      if (bits.bit() === 0) return false
    }
  }
  // the brightness factor's own code is not parsed: no known encoder writes it
  return !layer.brightnessChange
}
