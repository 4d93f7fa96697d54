import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { type Box, bodyOf, readChildren } from './boxes/box.ts'

/** A damage done to the bytes of a healthy file: pure, repeatable, and named for what happens to real recordings. */
export interface Recipe {
  readonly name: string
  /** Damages a copy. `seed` chooses places where the recipe leaves a choice. */
  apply(bytes: Uint8Array, seed: number): Uint8Array
}

/** Top-level boxes of an undamaged file. */
function topLevel(bytes: Uint8Array): readonly Box[] {
  return readChildren(new ByteReader(new MemorySource(bytes)), 0, bytes.length).boxes
}

function box(bytes: Uint8Array, type: string): Box | undefined {
  return topLevel(bytes).find((candidate) => candidate.type === type)
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The payload of the largest media data box. */
function payload(bytes: Uint8Array): { start: number; end: number } {
  const boxes = topLevel(bytes).filter((candidate) => candidate.type === 'mdat')
  const largest = boxes.reduce<Box | undefined>(
    (best, next) => (best && best.size >= next.size ? best : next),
    undefined,
  )
  return largest ? { start: bodyOf(largest), end: largest.end } : { start: 0, end: bytes.length }
}

/** Bytes without those in [from, to). */
function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const result = new Uint8Array(bytes.length - (to - from))
  result.set(bytes.subarray(0, from))
  result.set(bytes.subarray(to), from)
  return result
}

/** Bytes with others put in at an offset. */
function inserted(bytes: Uint8Array, at: number, piece: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + piece.length)
  result.set(bytes.subarray(0, at))
  result.set(piece, at)
  result.set(bytes.subarray(at), at + piece.length)
  return result
}

function noise(length: number, seed: number): Uint8Array {
  const next = randomNumbers(seed)
  return Uint8Array.from({ length }, () => Math.floor(next() * 256))
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

/** The first `share` of the file. */
export function truncated(bytes: Uint8Array, share: number): Uint8Array {
  return new Uint8Array(bytes.subarray(0, Math.floor(bytes.length * share)))
}

/** The file with its last bytes zeroed from `share` on: preallocated and never written. */
export function zeroTail(bytes: Uint8Array, share: number): Uint8Array {
  const result = new Uint8Array(bytes)
  result.fill(0, Math.floor(bytes.length * share))
  return result
}

/** The first `length` bytes zeroed. */
export function headZeroed(bytes: Uint8Array, length: number): Uint8Array {
  const result = new Uint8Array(bytes)
  result.fill(0, 0, length)
  return result
}

/** The first `length` bytes cut away. */
export function headCut(bytes: Uint8Array, length: number): Uint8Array {
  return new Uint8Array(bytes.subarray(length))
}

/** Foreign bytes behind the end. */
export function trailingGarbage(bytes: Uint8Array, length: number, seed: number): Uint8Array {
  return inserted(bytes, bytes.length, noise(length, seed))
}

/** `count` blocks of `size` bytes of payload zeroed (or, `random`, overwritten), as bad sectors come back. */
export function blocksLost(
  bytes: Uint8Array,
  count: number,
  size: number,
  random: boolean,
  seed: number,
): Uint8Array {
  const result = new Uint8Array(bytes)
  const { start, end } = payload(bytes)
  const next = randomNumbers(seed)
  for (let i = 0; i < count; i++) {
    const at = start + Math.floor(next() * Math.max(1, end - start - size))
    result.set(random ? noise(size, seed + i) : new Uint8Array(size), at)
  }
  return result
}

/** `length` bytes of payload missing at `share` of it, the index unchanged. */
export function bytesDeleted(bytes: Uint8Array, length: number, share: number): Uint8Array {
  const { start, end } = payload(bytes)
  const at = start + Math.floor((end - start - length) * share)
  return without(bytes, at, at + length)
}

/** `length` foreign bytes in the payload at `share` of it, the index unchanged. */
export function bytesInserted(bytes: Uint8Array, length: number, share: number, seed: number): Uint8Array {
  const { start, end } = payload(bytes)
  return inserted(bytes, start + Math.floor((end - start) * share), noise(length, seed))
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
  const result = new Uint8Array(bytes)
  const moov = box(bytes, 'moov')
  if (!moov) return result
  const next = randomNumbers(seed)
  for (let i = 0; i < count; i++) {
    const at = moov.offset + 8 + Math.floor(next() * (moov.end - moov.offset - 8))
    result[at] ^= 1 << Math.floor(next() * 8)
  }
  return result
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
  { name: 'three blocks zeroed', apply: (bytes, seed) => blocksLost(bytes, 3, 4096, false, seed) },
  { name: 'three blocks overwritten', apply: (bytes, seed) => blocksLost(bytes, 3, 4096, true, seed) },
  { name: '512 bytes deleted', apply: (bytes) => bytesDeleted(bytes, 512, 0.5) },
  { name: '777 bytes inserted', apply: (bytes, seed) => bytesInserted(bytes, 777, 0.5, seed) },
  { name: 'media data size 0', apply: (bytes) => mediaDataSize(bytes, 0) },
  { name: 'media data size short', apply: (bytes) => mediaDataSize(bytes, 4_000) },
  { name: 'media data size huge', apply: (bytes) => mediaDataSize(bytes, 0xfff0_0000) },
  { name: 'eight bits of the index flipped', apply: (bytes, seed) => indexBitsFlipped(bytes, 8, seed) },
]
