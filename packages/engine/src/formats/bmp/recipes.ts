import { headCut, headZeroed, type Recipe, trailingGarbage, truncated, zeroTail } from '../../bytes/damage.ts'
import { FILE_HEADER } from './read.ts'

/** Bytes of a file header and the commonest header behind it. */
const HEADERS = 54
const LEFT = 0.7

function overwritten(bytes: Uint8Array, at: number, length: number, value: number): Uint8Array {
  return Uint8Array.from(bytes).fill(value, at, at + length)
}

/** Damages of bitmaps, from the commonest on. */
export const RECIPES: readonly Recipe[] = [
  { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, LEFT) },
  { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, LEFT) },
  { name: 'file header zeroed', apply: (bytes) => headZeroed(bytes, FILE_HEADER) },
  { name: 'file header cut away', apply: (bytes) => headCut(bytes, FILE_HEADER) },
  { name: 'signature zeroed', apply: (bytes) => headZeroed(bytes, 2) },
  { name: 'file size wrong', apply: (bytes) => overwritten(bytes, 2, 4, 0xff) },
  { name: 'pixel offset wrong', apply: (bytes) => overwritten(bytes, 10, 4, 0xff) },
  { name: 'header zeroed', apply: (bytes) => overwritten(bytes, FILE_HEADER, HEADERS - FILE_HEADER, 0) },
  { name: 'both headers zeroed', apply: (bytes) => headZeroed(bytes, HEADERS) },
  { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
]
