/*
 * Damages that befall any file, for recipes of formats: pure, repeatable, on a copy.
 */

/** A damage done to the bytes of a healthy file: pure, repeatable, and named for what happens to real recordings. */
export interface Recipe {
  readonly name: string
  /** Damages a copy. `seed` chooses places where the recipe leaves a choice. */
  apply(bytes: Uint8Array, seed: number): Uint8Array
}

/** Bytes [start, end) of a file, to which a damage is confined. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

function all(bytes: Uint8Array): Stretch {
  return { start: 0, end: bytes.length }
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

/** Bytes without those in [from, to). */
export function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const result = new Uint8Array(bytes.length - (to - from))
  result.set(bytes.subarray(0, from))
  result.set(bytes.subarray(to), from)
  return result
}

/** Bytes with others put in at an offset. */
export function inserted(bytes: Uint8Array, at: number, piece: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + piece.length)
  result.set(bytes.subarray(0, at))
  result.set(piece, at)
  result.set(bytes.subarray(at), at + piece.length)
  return result
}

export function noise(length: number, seed: number): Uint8Array {
  const next = randomNumbers(seed)
  return Uint8Array.from({ length }, () => Math.floor(next() * 256))
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

/** `count` blocks of `size` bytes of a stretch zeroed (or, `random`, overwritten), as bad sectors come back. */
export function blocksLost(
  bytes: Uint8Array,
  count: number,
  size: number,
  random: boolean,
  seed: number,
  { start, end }: Stretch = all(bytes),
): Uint8Array {
  const result = new Uint8Array(bytes)
  const next = randomNumbers(seed)
  for (let i = 0; i < count; i++) {
    const at = start + Math.floor(next() * Math.max(1, end - start - size))
    result.set(random ? noise(size, seed + i) : new Uint8Array(size), at)
  }
  return result
}

/** `length` bytes of a stretch missing at `share` of it, the index unchanged. */
export function bytesDeleted(
  bytes: Uint8Array,
  length: number,
  share: number,
  { start, end }: Stretch = all(bytes),
): Uint8Array {
  const at = start + Math.floor((end - start - length) * share)
  return without(bytes, at, at + length)
}

/** `length` foreign bytes in a stretch at `share` of it, the index unchanged. */
export function bytesInserted(
  bytes: Uint8Array,
  length: number,
  share: number,
  seed: number,
  { start, end }: Stretch = all(bytes),
): Uint8Array {
  return inserted(bytes, start + Math.floor((end - start) * share), noise(length, seed))
}

/** `count` bits flipped. */
export function bitsFlipped(
  bytes: Uint8Array,
  count: number,
  seed: number,
  { start, end }: Stretch = all(bytes),
): Uint8Array {
  const result = new Uint8Array(bytes)
  const next = randomNumbers(seed)
  for (let i = 0; i < count; i++) {
    const at = start + Math.floor(next() * (end - start))
    result[at] ^= 1 << Math.floor(next() * 8)
  }
  return result
}
