import {
  blocksLost,
  headCut,
  headZeroed,
  type Recipe,
  trailingGarbage,
  truncated,
  zeroTail,
} from '../bytes/damage.ts'

const BLOCK = 512
const GARBAGE = 5_000
const LEFT = 0.7

/** Damages that befall any photo file, from the commonest on; `head`: bytes of its structure in front. */
export function photoDamages(head: number): readonly Recipe[] {
  return [
    { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, head) },
    { name: 'head cut away', apply: (bytes) => headCut(bytes, head) },
    { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, LEFT) },
    { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, LEFT) },
    { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, GARBAGE, seed) },
    { name: 'block zeroed', apply: (bytes, seed) => blocksLost(bytes, 1, BLOCK, false, seed) },
    { name: 'block overwritten', apply: (bytes, seed) => blocksLost(bytes, 1, BLOCK, true, seed) },
  ]
}
