import { headCut, headZeroed, type Recipe } from '../../bytes/damage.ts'
import { photoDamages } from '../../photo/damages.ts'

const SIGNATURE = 6
/** Signature and logical screen. */
const HEAD = 13

/** Damages of GIF files, from the commonest on. */
export const RECIPES: readonly Recipe[] = [
  ...photoDamages(HEAD),
  { name: 'signature zeroed', apply: (bytes) => headZeroed(bytes, SIGNATURE) },
  { name: 'signature cut away', apply: (bytes) => headCut(bytes, SIGNATURE) },
  { name: 'trailer missing', apply: (bytes) => new Uint8Array(bytes.subarray(0, bytes.length - 1)) },
]
