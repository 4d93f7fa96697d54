import {
  bitsFlipped,
  bytesDeleted,
  bytesInserted,
  headCut,
  headZeroed,
  type Recipe,
} from '../../bytes/damage.ts'
import { photoDamages } from '../../photo/damages.ts'

/** The file's header, and the first chunk's. */
const HEAD = 20
const SIGNATURE = 12
/** The first chunk's header, and the size of a lossy picture in it. */
const WITH_SIZE = 30
const FEW_BYTES = 7
const MIDDLE = 0.6

/** Damages of WebP files, from the commonest on. */
export const RECIPES: readonly Recipe[] = [
  ...photoDamages(HEAD),
  { name: 'signature zeroed', apply: (bytes) => headZeroed(bytes, SIGNATURE) },
  { name: 'signature cut away', apply: (bytes) => headCut(bytes, SIGNATURE) },
  { name: 'head zeroed with the size', apply: (bytes) => headZeroed(bytes, WITH_SIZE) },
  {
    name: 'bit flipped in the head',
    apply: (bytes, seed) => bitsFlipped(bytes, 1, seed, { start: 0, end: WITH_SIZE }),
  },
  { name: 'bit flipped', apply: (bytes, seed) => bitsFlipped(bytes, 1, seed) },
  { name: 'bytes deleted', apply: (bytes) => bytesDeleted(bytes, FEW_BYTES, MIDDLE) },
  { name: 'bytes inserted', apply: (bytes, seed) => bytesInserted(bytes, FEW_BYTES, MIDDLE, seed) },
]
