import {
  bitsFlipped,
  blocksLost,
  bytesDeleted,
  bytesInserted,
  headCut,
  headZeroed,
  type Recipe,
  type Stretch,
  trailingGarbage,
  truncated,
  zeroTail,
} from '../../bytes/damage.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { CHUNK_HEADER, chunksIn } from '../../syntax/riff/chunk.ts'

const MOST = 1000

/** What the data list of a healthy file holds, and where its index begins. */
export function parts(bytes: Uint8Array): { readonly data: Stretch; readonly index: number } {
  const reader = new ByteReader(new MemorySource(bytes))
  const chunks = chunksIn(reader, 12, bytes.length, MOST)
  const movi = chunks.find(({ type }) => type === 'movi')
  const index = chunks.find(({ id }) => id === 'idx1')
  return {
    data: movi ? { start: movi.body, end: movi.end } : { start: 0, end: bytes.length },
    index: index?.offset ?? bytes.length,
  }
}

/** The file without its index, as one whose recording was never ended. */
export function indexLost(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.subarray(0, parts(bytes).index))
}

/** Sizes of file and data are zero, and so are all counts: never filled in. */
export function unfinished(bytes: Uint8Array): Uint8Array {
  const result = indexLost(bytes)
  const view = new DataView(result.buffer)
  view.setUint32(4, 0, true)
  view.setUint32(parts(bytes).data.start - 8, 0, true)
  for (let at = 12; at < parts(bytes).data.start; at++) {
    const name = String.fromCharCode(...result.subarray(at, at + 4))
    if (name === 'avih') view.setUint32(at + CHUNK_HEADER + 16, 0, true)
    if (name === 'strh') view.setUint32(at + CHUNK_HEADER + 32, 0, true)
  }
  return result
}

/** Damages of AVI files, from the commonest on. */
export const RECIPES: readonly Recipe[] = [
  { name: 'index lost', apply: indexLost },
  { name: 'never finished', apply: unfinished },
  { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, parts(bytes).data.start) },
  { name: 'head cut away', apply: (bytes) => headCut(bytes, Math.min(10_007, bytes.length >> 2)) },
  {
    name: 'two blocks zeroed',
    apply: (bytes, seed) => blocksLost(bytes, 2, 2048, false, seed, parts(bytes).data),
  },
  {
    name: 'two blocks overwritten, index lost',
    apply: (bytes, seed) => indexLost(blocksLost(bytes, 2, 2048, true, seed, parts(bytes).data)),
  },
  { name: '512 bytes deleted', apply: (bytes) => bytesDeleted(bytes, 512, 0.5, parts(bytes).data) },
  {
    name: '777 bytes inserted',
    apply: (bytes, seed) => bytesInserted(bytes, 777, 0.5, seed, parts(bytes).data),
  },
  {
    name: 'eight bits of the index flipped',
    apply: (bytes, seed) =>
      bitsFlipped(bytes, 8, seed, { start: parts(bytes).index + CHUNK_HEADER, end: bytes.length }),
  },
]
