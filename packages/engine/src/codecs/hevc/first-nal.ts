import * as nal from './nal-types.ts'

const OPENERS = [nal.VPS, nal.SPS, nal.PPS, nal.AUD, nal.PREFIX_SEI]

/** By first NAL unit header byte: may an access unit of the base layer begin with it? ITU-T H.265 (08/2021) §7.4.2.4.4. */
export const OPENS_UNIT: Uint8Array = new Uint8Array(256)
for (let type = 0; type < 64; type++)
  if (nal.isSlice(type) || OPENERS.includes(type)) OPENS_UNIT[type << 1] = 1

/** nuh_layer_id 0 and nuh_temporal_id_plus1 1 to 7: second header bytes of the base layer. */
export function isBaseLayer(second: number): boolean {
  return second > 0 && second < 8
}

/** Bits by which two header bytes that open a unit differ from chance. */
export const OPENING_EVIDENCE =
  Math.log2(256 / OPENS_UNIT.reduce((sum, value) => sum + value, 0)) + Math.log2(256 / 7)

/** The NAL unit at `at` opens a unit: of the base layer, and a slice segment only as the picture's first. */
export function opensPicture(bytes: Uint8Array, at: number): boolean {
  if (!isBaseLayer(bytes[at + 1])) return false
  return !nal.isSlice(bytes[at] >> 1) || bytes[at + 2] > 127
}
