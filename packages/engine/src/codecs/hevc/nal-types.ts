/** NAL unit types, ITU-T H.265 (08/2021) Table 7-1. */
export const RADL_N = 6
export const RADL_R = 7
export const RASL_N = 8
export const RASL_R = 9
export const BLA_W_LP = 16
export const BLA_N_LP = 18
export const IDR_W_RADL = 19
export const IDR_N_LP = 20
export const CRA = 21
export const IRAP_LAST = 23
export const VCL_LAST = 31
export const VPS = 32
export const SPS = 33
export const PPS = 34
export const AUD = 35
export const END_OF_SEQUENCE = 36
export const END_OF_BITSTREAM = 37
export const FILLER = 38
export const PREFIX_SEI = 39
export const SUFFIX_SEI = 40
/** Unspecified by the standard; Dolby Vision puts its metadata and its enhancement layer there. */
export const DOLBY_METADATA = 62
export const DOLBY_LAYER = 63

/** Types of coded slice segments that are not reserved. */
export function isSlice(type: number): boolean {
  return type <= RASL_R || (type >= BLA_W_LP && type <= CRA)
}

export function isIrap(type: number): boolean {
  return type >= BLA_W_LP && type <= IRAP_LAST
}

export function isIdr(type: number): boolean {
  return type === IDR_W_RADL || type === IDR_N_LP
}

export function isBla(type: number): boolean {
  return type >= BLA_W_LP && type <= BLA_N_LP
}

export function isRasl(type: number): boolean {
  return type === RASL_N || type === RASL_R
}

export function isRadl(type: number): boolean {
  return type === RADL_N || type === RADL_R
}

/** Sub-layer non-reference pictures: even types up to 14. */
export function isSubLayerNonReference(type: number): boolean {
  return type <= 14 && type % 2 === 0
}
