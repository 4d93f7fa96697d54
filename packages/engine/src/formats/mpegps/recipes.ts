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
import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { type Item, readItem } from './read/item.ts'

/** All packs and packets of an undamaged file. */
export function itemsOf(bytes: Uint8Array): Item[] {
  const reader = new ByteReader(new MemorySource(bytes))
  const items: Item[] = []
  for (let at = 0; at < bytes.length; ) {
    const item = readItem(reader, at)
    if (item) items.push(item)
    at += item?.length ?? 1
  }
  return items
}

/** The packet with pictures at `share` of those. */
export function pictureAt(bytes: Uint8Array, share: number): Item {
  const pictures = itemsOf(bytes).filter(({ code }) => code >> 4 === 0xe)
  return pictures[Math.floor(pictures.length * share)]
}

/** One bit turned, at `byte` of what begins at `at`. */
export function bitFlipped(bytes: Uint8Array, at: number, byte: number, bit: number): Uint8Array {
  const result = new Uint8Array(bytes)
  result[at + byte] ^= 1 << bit
  return result
}

/** Damages of program streams. */
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
