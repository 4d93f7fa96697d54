import {
  blocksLost,
  bytesDeleted,
  bytesInserted,
  headCut,
  headZeroed,
  type Recipe,
  trailingGarbage,
  truncated,
  zeroTail,
} from '../../bytes/damage.ts'

/** Damages of bare pictures. */
export const RECIPES: readonly Recipe[] = [
  { name: 'cut', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'zero tail', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'head cut away', apply: (bytes) => headCut(bytes, 10_007) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, 20_000) },
  { name: 'foreign bytes behind', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
  { name: 'blocks zeroed', apply: (bytes, seed) => blocksLost(bytes, 2, 4_096, false, seed) },
  { name: 'blocks overwritten', apply: (bytes, seed) => blocksLost(bytes, 2, 4_096, true, seed) },
  { name: 'bytes missing', apply: (bytes) => bytesDeleted(bytes, 512, 0.5) },
  { name: 'foreign bytes inside', apply: (bytes, seed) => bytesInserted(bytes, 777, 0.55, seed) },
]
