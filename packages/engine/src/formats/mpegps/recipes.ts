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
import { RIFF_HEAD_BYTES, riffHead } from '../../syntax/cdxa/riff-head.ts'
import { SECTOR_BYTES, SECTOR_PAYLOAD_BYTES, writeSector } from '../../syntax/cdxa/sector.ts'
import { type Item, PACK, readItem } from './read/item.ts'

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

/** A program stream in sectors of a Video CD, a pack in each, as file systems show such a disc's files. */
export function inSectors(bytes: Uint8Array): Uint8Array {
  const packs = itemsOf(bytes).filter(({ code }) => code === PACK)
  const starts = packs.map(({ offset }) => offset)
  const payloads = starts.map((start, i) => bytes.subarray(start, starts[i + 1] ?? bytes.length))
  const parts = payloads.flatMap((payload) => {
    const count = Math.ceil(payload.length / SECTOR_PAYLOAD_BYTES)
    return Array.from({ length: count }, (_, i) =>
      payload.subarray(i * SECTOR_PAYLOAD_BYTES, (i + 1) * SECTOR_PAYLOAD_BYTES),
    )
  })
  const result = new Uint8Array(RIFF_HEAD_BYTES + parts.length * SECTOR_BYTES)
  result.set(riffHead(parts.length, new Uint8Array(0)))
  for (const [i, part] of parts.entries())
    result.set(writeSector(FIRST_NUMBER + i, part), RIFF_HEAD_BYTES + i * SECTOR_BYTES)
  return result
}

/** Number of the first sector of a disc's first film. */
const FIRST_NUMBER = 1_350
