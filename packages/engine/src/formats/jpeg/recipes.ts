import {
  blocksLost,
  headCut,
  headZeroed,
  type Recipe,
  trailingGarbage,
  truncated,
  zeroTail,
} from '../../bytes/damage.ts'

const START = 2
const BLOCK = 512

/** Damages of JPEG photos, from the commonest on. */
export const RECIPES: readonly Recipe[] = [
  { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'block zeroed', apply: (bytes, seed) => blocksLost(bytes, 1, BLOCK, false, seed) },
  { name: 'block overwritten', apply: (bytes, seed) => blocksLost(bytes, 1, BLOCK, true, seed) },
  { name: 'start zeroed', apply: (bytes) => headZeroed(bytes, START) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, BLOCK) },
  { name: 'start cut away', apply: (bytes) => headCut(bytes, START) },
  { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
]
