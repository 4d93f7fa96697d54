import {
  bitsFlipped,
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

const SIGNATURE = 8
/** Signature and header. */
const HEAD = 33
const BLOCK = 512

/** Line feeds with a carriage return in front of each, as a transfer as text leaves them. */
export function asText(bytes: Uint8Array): Uint8Array {
  const out: number[] = []
  for (const byte of bytes) {
    if (byte === 0x0a) out.push(0x0d)
    out.push(byte)
  }
  return Uint8Array.from(out)
}

/** Damages of PNG files, from the commonest on. */
export const RECIPES: readonly Recipe[] = [
  { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'bit flipped', apply: (bytes, seed) => bitsFlipped(bytes, 1, seed) },
  { name: 'block zeroed', apply: (bytes, seed) => blocksLost(bytes, 1, BLOCK, false, seed) },
  { name: 'block overwritten', apply: (bytes, seed) => blocksLost(bytes, 1, BLOCK, true, seed) },
  { name: 'signature zeroed', apply: (bytes) => headZeroed(bytes, SIGNATURE) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, HEAD) },
  { name: 'head cut away', apply: (bytes) => headCut(bytes, HEAD) },
  { name: 'transferred as text', apply: asText },
  { name: 'bytes deleted', apply: (bytes, seed) => bytesDeleted(bytes, 100, 0.3 + (seed % 5) / 10) },
  { name: 'bytes inserted', apply: (bytes, seed) => bytesInserted(bytes, 100, 0.3 + (seed % 5) / 10, seed) },
  { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
]
