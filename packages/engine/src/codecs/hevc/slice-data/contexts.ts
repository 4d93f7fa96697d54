/** First contexts of syntax elements, in the order of ITU-T H.265 (08/2021) Tables 9-5 to 9-37. */
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
/** Those of slices that refer to other pictures. */
export const SKIP = 135
export const PRED_MODE = 138
/** Second and further bins of part_mode; the first is `PART_MODE`. */
export const PART_MODE_MORE = 139
export const MERGE = 142
export const MERGE_INDEX = 143
export const DIRECTION = 144
export const REFERENCE = 149
export const VECTOR_GREATER_0 = 151
export const VECTOR_GREATER_1 = 152
export const VECTOR_CANDIDATE = 153
export const ROOT_CODED = 154
export const CONTEXTS = 155

/** Has no value of its own in an I slice. */
const NONE = 154

/** initValue of each context by initType. */
const INIT: readonly Uint8Array[] = [
  Uint8Array.of(
    ...[153, 200, 139, 141, 157, 154, 184, 184, 63, 153, 138, 138, 111, 141, 94, 138, 182, 154, 154],
    ...[154, 154, 139, 139],
    ...[110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63],
    ...[110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63],
    ...[91, 171, 134, 141],
    ...[111, 111, 125, 110, 110, 94, 124, 108, 124, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153],
    ...[125, 107, 125, 141, 179, 153, 125, 140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139, 111, 136],
    ...[139, 111],
    ...[140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139, 107, 122, 152, 140, 179, 166, 182],
    ...[140, 227, 122, 197],
    ...[138, 153, 136, 167, 152, 152],
    ...Array.from({ length: CONTEXTS - SKIP }, () => NONE),
  ),
  Uint8Array.of(
    ...[153, 185, 107, 139, 126, 154, 154, 154, 152, 124, 138, 94, 153, 111, 149, 107, 167, 154, 154],
    ...[154, 154, 139, 139],
    ...[125, 110, 94, 110, 95, 79, 125, 111, 110, 78, 110, 111, 111, 95, 94, 108, 123, 108],
    ...[125, 110, 94, 110, 95, 79, 125, 111, 110, 78, 110, 111, 111, 95, 94, 108, 123, 108],
    ...[121, 140, 61, 154],
    ...[155, 154, 139, 153, 139, 123, 123, 63, 153, 166, 183, 140, 136, 153, 154, 166, 183, 140, 136, 153],
    ...[154, 166, 183, 140, 136, 153, 154, 170, 153, 123, 123, 107, 121, 107, 121, 167, 151, 183, 140, 151],
    ...[183, 140],
    ...[154, 196, 196, 167, 154, 152, 167, 182, 182, 134, 149, 136, 153, 121, 136, 137, 169, 194, 166, 167],
    ...[154, 167, 137, 182],
    ...[107, 167, 91, 122, 107, 167],
    ...[197, 185, 201, 149, 139, 154, 154, 110, 122, 95, 79, 63, 31, 31, 153, 153, 140, 198, 168, 79],
  ),
  Uint8Array.of(
    ...[153, 160, 107, 139, 126, 154, 154, 183, 152, 224, 167, 122, 153, 111, 149, 92, 167, 154, 154],
    ...[154, 154, 139, 139],
    ...[125, 110, 124, 110, 95, 94, 125, 111, 111, 79, 125, 126, 111, 111, 79, 108, 123, 93],
    ...[125, 110, 124, 110, 95, 94, 125, 111, 111, 79, 125, 126, 111, 111, 79, 108, 123, 93],
    ...[121, 140, 61, 154],
    ...[170, 154, 139, 153, 139, 123, 123, 63, 124, 166, 183, 140, 136, 153, 154, 166, 183, 140, 136, 153],
    ...[154, 166, 183, 140, 136, 153, 154, 170, 153, 138, 138, 122, 121, 122, 121, 167, 151, 183, 140, 151],
    ...[183, 140],
    ...[154, 196, 167, 167, 154, 152, 167, 182, 182, 134, 149, 136, 153, 121, 136, 122, 169, 208, 166, 167],
    ...[154, 152, 167, 182],
    ...[107, 167, 91, 107, 107, 167],
    ...[197, 185, 201, 134, 139, 154, 154, 154, 137, 95, 79, 63, 31, 31, 153, 153, 169, 198, 168, 79],
  ),
]

/** Sets every context for a slice of this quantiser and initType, §9.3.2.2. */
export function startContexts(states: Uint8Array, sliceQp: number, initType: number): void {
  const init = INIT[initType]
  const qp = Math.min(51, Math.max(0, sliceQp))
  for (let i = 0; i < CONTEXTS; i++) {
    const slope = (init[i] >> 4) * 5 - 45
    const offset = ((init[i] & 15) << 3) - 16
    const value = Math.min(126, Math.max(1, ((slope * qp) >> 4) + offset))
    states[i] = value <= 63 ? (63 - value) << 1 : ((value - 64) << 1) | 1
  }
}
