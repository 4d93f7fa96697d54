import type { BitReader } from '../../bytes/bit-reader.ts'
import { MOTION } from '../vlc/macroblock-codes.ts'

/**
 * A motion vector difference of range `code`, ISO/IEC 14496-2:2004 §6.2.6.2: sign and residual are `code` bits. False when none
 * stands.
 */
export function readMotion(bits: BitReader, code: number): boolean {
  for (let axis = 0; axis < 2; axis++) {
    const magnitude = MOTION.read(bits)
    if (magnitude < 0) return false
    if (magnitude > 0) bits.skip(code)
  }
  return true
}
