/** First contexts of syntax elements in an I slice, in the order of ITU-T H.265 (08/2021) Tables 9-5 to 9-37. */
export const SAO_MERGE = 0
export const SAO_TYPE = 1
export const SPLIT_CU = 2
export const TRANSQUANT_BYPASS = 5
export const PART_MODE = 6
export const PREVIOUS_MODE = 7
export const CHROMA_MODE = 8
export const SPLIT_TRANSFORM = 9
export const CBF_LUMA = 12
export const CBF_CHROMA = 14
export const QP_DELTA = 19
export const TRANSFORM_SKIP = 21
export const LAST_X = 23
export const LAST_Y = 41
export const SUB_BLOCK = 59
export const SIGNIFICANT = 63
export const GREATER_1 = 105
export const GREATER_2 = 129
export const CONTEXTS = 135

/** initValue of each context for initType 0. */
const INIT = Uint8Array.of(
  ...[153, 200, 139, 141, 157, 154, 184, 184, 63, 153, 138, 138, 111, 141, 94, 138, 182, 154, 154],
  ...[154, 154, 139, 139],
  ...[110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63],
  ...[110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63],
  ...[91, 171, 134, 141],
  ...[111, 111, 125, 110, 110, 94, 124, 108, 124, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153, 125],
  ...[
    107, 125, 141, 179, 153, 125, 140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139, 111, 136, 139, 111,
  ],
  ...[140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139, 107, 122, 152, 140, 179, 166, 182, 140],
  ...[227, 122, 197],
  ...[138, 153, 136, 167, 152, 152],
)

/** Sets every context for a slice of this quantiser, §9.3.2.2. */
export function startContexts(states: Uint8Array, sliceQp: number): void {
  const qp = Math.min(51, Math.max(0, sliceQp))
  for (let i = 0; i < CONTEXTS; i++) {
    const slope = (INIT[i] >> 4) * 5 - 45
    const offset = ((INIT[i] & 15) << 3) - 16
    const value = Math.min(126, Math.max(1, ((slope * qp) >> 4) + offset))
    states[i] = value <= 63 ? (63 - value) << 1 : ((value - 64) << 1) | 1
  }
}
