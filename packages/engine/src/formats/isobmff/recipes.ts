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
  without,
  zeroTail,
} from '../../bytes/damage.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { type Box, bodyOf, readChildren } from '../../syntax/iso-boxes/box.ts'

/** Top-level boxes of an undamaged file. */
function topLevel(bytes: Uint8Array): readonly Box[] {
  return readChildren(new ByteReader(new MemorySource(bytes)), 0, bytes.length).boxes
}

function box(bytes: Uint8Array, type: string): Box | undefined {
  return topLevel(bytes).find((candidate) => candidate.type === type)
}

/** The payload of the largest media data box. */
export function payload(bytes: Uint8Array): { start: number; end: number } {
  const boxes = topLevel(bytes).filter((candidate) => candidate.type === 'mdat')
  const largest = boxes.reduce<Box | undefined>(
    (best, next) => (best && best.size >= next.size ? best : next),
    undefined,
  )
  return largest ? { start: bodyOf(largest), end: largest.end } : { start: 0, end: bytes.length }
}

/** A media data header as a camera leaves it that lost power: the size was never filled in. */
function openMediaData(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes)
  const mdat = box(bytes, 'mdat')
  if (mdat) new DataView(result.buffer).setUint32(mdat.offset, mdat.header === 16 ? 1 : 0)
  return result
}

/** The file without its movie box: power lost before the index was written. */
export function indexNeverWritten(bytes: Uint8Array): Uint8Array {
  const moov = box(bytes, 'moov')
  return openMediaData(moov ? without(bytes, moov.offset, moov.end) : bytes)
}

/** The movie box full of zeros. */
export function indexZeroed(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes)
  const moov = box(bytes, 'moov')
  if (moov) result.fill(0, moov.offset, moov.end)
  return result
}

/** Only the first `share` of the movie box, which stands at the end, is there. */
export function indexCut(bytes: Uint8Array, share: number): Uint8Array {
  const moov = box(bytes, 'moov')
  return moov
    ? new Uint8Array(bytes.subarray(0, moov.offset + Math.floor((moov.end - moov.offset) * share)))
    : new Uint8Array(bytes)
}

/** The media data box declares another size. */
export function mediaDataSize(bytes: Uint8Array, size: number): Uint8Array {
  const result = new Uint8Array(bytes)
  const mdat = box(bytes, 'mdat')
  if (mdat) new DataView(result.buffer).setUint32(mdat.offset, size)
  return result
}

/** `count` bits of the movie box flipped. */
export function indexBitsFlipped(bytes: Uint8Array, count: number, seed: number): Uint8Array {
  const moov = box(bytes, 'moov')
  if (!moov) return new Uint8Array(bytes)
  return bitsFlipped(bytes, count, seed, { start: moov.offset + 8, end: moov.end })
}

/** The recipes that every benchmark and test runs, from the commonest damage on. */
export const RECIPES: readonly Recipe[] = [
  { name: 'index never written', apply: (bytes) => indexNeverWritten(bytes) },
  { name: 'index zeroed', apply: (bytes) => indexZeroed(bytes) },
  { name: 'index cut off', apply: (bytes) => indexCut(bytes, 0.5) },
  { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'index lost and truncated at 70%', apply: (bytes) => truncated(indexNeverWritten(bytes), 0.7) },
  { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, Math.min(65_536, bytes.length >> 2)) },
  { name: 'head cut away', apply: (bytes) => headCut(bytes, Math.min(65_536, bytes.length >> 2)) },
  {
    name: 'three blocks zeroed',
    apply: (bytes, seed) => blocksLost(bytes, 3, 4096, false, seed, payload(bytes)),
  },
  {
    name: 'three blocks overwritten',
    apply: (bytes, seed) => blocksLost(bytes, 3, 4096, true, seed, payload(bytes)),
  },
  { name: '512 bytes deleted', apply: (bytes) => bytesDeleted(bytes, 512, 0.5, payload(bytes)) },
  {
    name: '777 bytes inserted',
    apply: (bytes, seed) => bytesInserted(bytes, 777, 0.5, seed, payload(bytes)),
  },
  { name: 'media data size 0', apply: (bytes) => mediaDataSize(bytes, 0) },
  { name: 'media data size short', apply: (bytes) => mediaDataSize(bytes, 4_000) },
  { name: 'media data size huge', apply: (bytes) => mediaDataSize(bytes, 0xfff0_0000) },
  { name: 'eight bits of the index flipped', apply: (bytes, seed) => indexBitsFlipped(bytes, 8, seed) },
]
