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
import { FILE_START } from './read/scan.ts'

/** Offsets of the tags of an undamaged file. */
export function tagsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tags: number[] = []
  for (let at = FILE_START; at + 11 < bytes.length; at += 15 + (view.getUint32(at) & 0xffffff)) tags.push(at)
  return tags
}

/** One bit of the header of the tag at `share` of all flipped. */
export function headerFlipped(bytes: Uint8Array, share: number, byte: number, bit: number): Uint8Array {
  const result = new Uint8Array(bytes)
  const tags = tagsOf(bytes)
  result[tags[Math.floor(tags.length * share)] + byte] ^= 1 << bit
  return result
}

/** The tags from `share` of all on begin at time zero again, as a server writes them after a broken connection. */
export function clockRestarted(bytes: Uint8Array, share: number): Uint8Array {
  const result = new Uint8Array(bytes)
  const tags = tagsOf(bytes)
  const timeOf = (at: number): number => (bytes[at + 4] << 16) | (bytes[at + 5] << 8) | bytes[at + 6]
  const from = Math.floor(tags.length * share)
  const base = Math.min(...tags.slice(from, from + 8).map(timeOf))
  for (const at of tags.slice(from)) {
    const time = Math.max(0, timeOf(at) - base)
    result.set([time >> 16, (time >> 8) & 255, time & 255], at + 4)
  }
  return result
}

/** Every size behind a tag zero. */
export function trailersZeroed(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes)
  for (const at of tagsOf(bytes).slice(1)) result.fill(0, at - 4, at)
  result.fill(0, bytes.length - 4)
  return result
}

/** A recording that was never finished: length and size of the file are zero in its metadata. */
export function neverFinished(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes)
  const text = String.fromCharCode(...bytes.subarray(0, 2048))
  for (const name of ['duration', 'filesize']) {
    const at = text.indexOf(name)
    if (at > 0) result.fill(0, at + name.length + 1, at + name.length + 9)
  }
  return result
}

/** The damages that every benchmark and test runs. */
export const RECIPES: readonly Recipe[] = [
  { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, bytes.length >> 3) },
  { name: 'head cut away', apply: (bytes) => headCut(bytes, (bytes.length >> 3) + 1) },
  { name: 'three blocks zeroed', apply: (bytes, seed) => blocksLost(bytes, 3, 2048, false, seed) },
  { name: 'three blocks overwritten', apply: (bytes, seed) => blocksLost(bytes, 3, 2048, true, seed) },
  { name: '512 bytes deleted', apply: (bytes) => bytesDeleted(bytes, 512, 0.5) },
  { name: '777 bytes inserted', apply: (bytes, seed) => bytesInserted(bytes, 777, 0.5, seed) },
  { name: 'sizes behind tags zero', apply: (bytes) => trailersZeroed(bytes) },
  { name: 'never finished', apply: (bytes) => neverFinished(bytes) },
  { name: 'bits flipped', apply: (bytes, seed) => bitsFlipped(bytes, 20, seed) },
]
