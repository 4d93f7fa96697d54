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
import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { DATA_START, readHeader } from './read/header.ts'

/** Where the packets of an undamaged file begin, and their size. */
export function packetsOf(bytes: Uint8Array): { start: number; size: number; end: number } {
  const header = readHeader(new ByteReader(new MemorySource(bytes)))
  const start = header.data + DATA_START
  const size = header.file?.packetSize ?? 0
  return { start, size, end: start + size * (header.file?.packets ?? 0) }
}

/** The bytes of the packets, to which a damage is confined. */
function data(bytes: Uint8Array): { start: number; end: number } {
  const { start, end } = packetsOf(bytes)
  return { start, end }
}

/** The packet at `share` of all zeroed. */
export function packetZeroed(bytes: Uint8Array, share: number): Uint8Array {
  const { start, size, end } = packetsOf(bytes)
  const at = start + Math.floor(((end - start) / size) * share) * size
  return new Uint8Array(bytes).fill(0, at, at + size)
}

/** The index behind the packets gone. */
export function indexCutAway(bytes: Uint8Array): Uint8Array {
  return bytes.slice(0, packetsOf(bytes).end)
}

/** A recording that was never finished: no counts, no length, marked as being sent, no index. */
export function neverFinished(bytes: Uint8Array): Uint8Array {
  const result = indexCutAway(bytes)
  const { parts } = readHeader(new ByteReader(new MemorySource(bytes)))
  const properties = parts.find(({ guid }) => guid.startsWith('a1dcab8c'))?.offset ?? 0
  result.fill(0, properties + 40, properties + 48)
  result.fill(0, properties + 56, properties + 80)
  result[properties + 88] |= 1
  const start = packetsOf(bytes).start
  result.fill(0, start - 34, start - 26)
  result.fill(0, start - 10, start - 2)
  return result
}

/** One bit of the `byte`th byte behind an offset flipped. */
export function bitFlipped(bytes: Uint8Array, offset: number, byte: number, bit: number): Uint8Array {
  const result = new Uint8Array(bytes)
  result[offset + byte] ^= 1 << bit
  return result
}

/** The damages that every benchmark and test runs. */
export const RECIPES: readonly Recipe[] = [
  { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, bytes.length >> 3) },
  { name: 'head cut away', apply: (bytes) => headCut(bytes, (bytes.length >> 3) + 1) },
  { name: 'a packet zeroed', apply: (bytes) => packetZeroed(bytes, 0.5) },
  {
    name: 'three blocks zeroed',
    apply: (bytes, seed) => blocksLost(bytes, 3, 2048, false, seed, data(bytes)),
  },
  {
    name: 'three blocks overwritten',
    apply: (bytes, seed) => blocksLost(bytes, 3, 2048, true, seed, data(bytes)),
  },
  { name: '512 bytes deleted', apply: (bytes) => bytesDeleted(bytes, 512, 0.5, data(bytes)) },
  { name: '777 bytes inserted', apply: (bytes, seed) => bytesInserted(bytes, 777, 0.5, seed, data(bytes)) },
  { name: 'never finished', apply: (bytes) => neverFinished(bytes) },
  { name: 'bits flipped', apply: (bytes, seed) => bitsFlipped(bytes, 20, seed, data(bytes)) },
]
