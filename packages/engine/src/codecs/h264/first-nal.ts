import * as nal from './nal-types.ts'

/**
 * By NAL unit header byte: may an access unit begin with it? nal_ref_idc must be 0 for some types and must not be
 * for others, ITU-T H.264 (08/2021) §7.4.1; encoders were seen to break the former, not the latter.
 */
export const OPENS_UNIT: Uint8Array = new Uint8Array(256)

const ANY_REFERENCE = [nal.SLICE, nal.PARTITION_A, nal.SEI, nal.AUD, nal.PREFIX]
const ALWAYS_REFERENCE = [nal.IDR, nal.SPS, nal.PPS, nal.SUBSET_SPS, nal.SPS_EXTENSION]

for (const type of ANY_REFERENCE) for (let ref = 0; ref < 4; ref++) OPENS_UNIT[(ref << 5) | type] = 1
for (const type of ALWAYS_REFERENCE) for (let ref = 1; ref < 4; ref++) OPENS_UNIT[(ref << 5) | type] = 1

/** Bits by which a header byte out of this table differs from a chance byte. */
export const OPENING_EVIDENCE = Math.log2(256 / OPENS_UNIT.reduce((sum, value) => sum + value, 0))

/** A slice that opens a unit begins with macroblock 0: first_mb_in_slice is the single bit 1. */
export function opensPicture(bytes: Uint8Array, at: number): boolean {
  const type = bytes[at] & 31
  if (type === nal.SLICE || type === nal.IDR || type === nal.PARTITION_A) return bytes[at + 1] > 127
  if (type === nal.AUD) return (bytes[at + 1] & 31) === 16
  return true
}
