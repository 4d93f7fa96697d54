/**
 * The kinds of symbols whose probabilities adapt, VP9 Bitstream & Decoding Process Specification v0.6 §9.3 and §10.5, and where
 * the probabilities and the counts of each lie in one array of all.
 */

/** A kind of symbols: `rows` contexts, each with a probability a node of `tree` and a count a leaf. */
export interface Symbols {
  readonly rows: number
  /** Two entries a node: what follows a 0 and a 1; a leaf is its value negated, another node its entry's index. §9.3.1. */
  readonly tree: Int8Array
  readonly nodes: number
  readonly leaves: number
  /** First of its probabilities among all, and of its counts. */
  readonly at: number
  readonly counts: number
}

let probabilities = 0
let counts = 0
const defaults: number[] = []

/** Gives a kind its places. `initial` holds as many probabilities as it has nodes in all rows. */
function symbols(tree: Int8Array, initial: readonly number[]): Symbols {
  const nodes = tree.length / 2
  const leaves = nodes + 1
  const rows = initial.length / nodes
  const kind = { rows, tree, nodes, leaves, at: probabilities, counts }
  probabilities += rows * nodes
  counts += rows * leaves
  defaults.push(...initial)
  return kind
}

const BINARY = Int8Array.of(0, -1)
const TX_16X16 = Int8Array.of(0, 2, -1, -2)
/** Also that of the fractions of motion vectors, and of their joints. */
const CHAIN_OF_4 = Int8Array.of(0, 2, -1, 4, -2, -3)
const FILTER_TREE = Int8Array.of(0, 2, -1, -2)
export const INTRA_MODE_TREE = Int8Array.of(0, 2, -9, 4, -1, 6, 8, 12, -2, 10, -4, -5, -3, 14, -8, 16, -6, -7)
/** Of nearest, near, zero and new, in this order. */
const INTER_MODE_TREE = Int8Array.of(-2, 2, 0, 4, -1, -3)
export const PARTITION_TREE = Int8Array.of(0, 2, -1, 4, -2, -3)
const MV_CLASS_TREE = Int8Array.of(0, 2, -1, 4, 6, 8, -2, -3, 10, 12, -4, -5, -6, 14, 16, 18, -7, -8, -9, -10)
export const SEGMENT_TREE = Int8Array.of(2, 4, 6, 8, 10, 12, 0, -1, -2, -3, -4, -5, -6, -7)

/** By context. */
export const TX_SIZE_8 = symbols(BINARY, [100, 66])
export const TX_SIZE_16 = symbols(TX_16X16, [20, 152, 15, 101])
export const TX_SIZE_32 = symbols(CHAIN_OF_4, [3, 136, 37, 5, 52, 13])
export const SKIP = symbols(BINARY, [192, 128, 64])
export const INTER_MODE = symbols(
  INTER_MODE_TREE,
  [2, 173, 34, 7, 145, 85, 7, 166, 63, 7, 94, 66, 8, 64, 46, 17, 81, 31, 25, 29, 30],
)
export const INTERP_FILTER = symbols(FILTER_TREE, [235, 162, 36, 255, 34, 3, 149, 144])
export const IS_INTER = symbols(BINARY, [9, 102, 187, 225])
export const COMP_MODE = symbols(BINARY, [239, 183, 119, 96, 41])
/** Two for each context: of the first bit and of the second. */
export const SINGLE_REF = symbols(BINARY, [33, 16, 77, 74, 142, 142, 172, 170, 238, 247])
export const COMP_REF = symbols(BINARY, [50, 126, 123, 221, 226])
/** By the size of the block. */
// biome-ignore format: a table
export const Y_MODE = symbols(INTRA_MODE_TREE, [
  65, 32, 18, 144, 162, 194, 41, 51, 98, 132, 68, 18, 165, 217, 196, 45, 40, 78, 173, 80, 19, 176, 240, 193, 64, 35, 46,
  221, 135, 38, 194, 248, 121, 96, 85, 29,
])
/** By the mode of luma. */
// biome-ignore format: a table
export const UV_MODE = symbols(INTRA_MODE_TREE, [
  120, 7, 76, 176, 208, 126, 28, 54, 103, 48, 12, 154, 155, 139, 90, 34, 117, 119, 67, 6, 25, 204, 243, 158, 13, 21, 96,
  97, 5, 44, 131, 176, 139, 48, 68, 97, 83, 5, 42, 156, 111, 152, 26, 49, 152, 80, 5, 58, 178, 74, 83, 33, 62, 145,
  86, 5, 32, 154, 192, 168, 14, 22, 163, 85, 5, 32, 156, 216, 148, 19, 29, 73, 77, 7, 64, 116, 132, 122, 37, 126, 120,
  101, 21, 107, 181, 192, 103, 19, 67, 125,
])
// biome-ignore format: a table
export const PARTITION = symbols(PARTITION_TREE, [
  199, 122, 141, 147, 63, 159, 148, 133, 118, 121, 104, 114, 174, 73, 87, 92, 41, 83, 82, 99, 50, 53, 39, 39, 177, 58, 59,
  68, 26, 63, 52, 79, 25, 17, 14, 12, 222, 34, 30, 72, 16, 44, 58, 32, 12, 10, 7, 6,
])
export const MV_JOINT = symbols(CHAIN_OF_4, [32, 64, 96])
/** From here on by the direction: rows, then columns. */
export const MV_SIGN = symbols(BINARY, [128, 128])
export const MV_CLASS = symbols(MV_CLASS_TREE, [
  ...[224, 144, 192, 168, 192, 176, 192, 198, 198, 245],
  ...[216, 128, 176, 160, 176, 176, 192, 198, 198, 208],
])
export const MV_CLASS0_BIT = symbols(BINARY, [216, 208])
const MV_BIT_DEFAULTS = [136, 140, 148, 160, 176, 192, 224, 234, 234, 240]
/** Ten for each direction, the lowest bit first. */
export const MV_BITS = symbols(BINARY, [...MV_BIT_DEFAULTS, ...MV_BIT_DEFAULTS])
/** Two for each direction, by the bit before. */
export const MV_CLASS0_FRACTION = symbols(CHAIN_OF_4, [128, 128, 64, 96, 112, 64, 128, 128, 64, 96, 112, 64])
export const MV_FRACTION = symbols(CHAIN_OF_4, [64, 96, 64, 64, 96, 64])
export const MV_CLASS0_HP = symbols(BINARY, [160, 160])
export const MV_HP = symbols(BINARY, [128, 128])

/** Adapted where transform sizes are chosen by block; where filters are; always; and where vectors have an eighth of a sample. */
export const TX_SIZES = [TX_SIZE_8, TX_SIZE_16, TX_SIZE_32]
export const MODES = [
  ...[SKIP, INTER_MODE, IS_INTER, COMP_MODE, SINGLE_REF, COMP_REF, Y_MODE, UV_MODE, PARTITION, MV_JOINT],
  ...[MV_SIGN, MV_CLASS, MV_CLASS0_BIT, MV_BITS, MV_CLASS0_FRACTION, MV_FRACTION],
]
export const HIGH_PRECISION = [MV_CLASS0_HP, MV_HP]

/** Number of all probabilities and counts here. */
export const SYMBOL_PROBABILITIES = probabilities
export const SYMBOL_COUNTS = counts
export const DEFAULT_SYMBOLS = Uint8Array.from(defaults)
