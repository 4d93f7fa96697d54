import type { ByteRange } from '@mendframe/engine/testing'
import { walkHeader } from './header.ts'

/** A damaged photo, and which bytes of the original are no longer in it as they were. */
export interface DamagedPhoto {
  readonly bytes: Uint8Array
  readonly hits: readonly ByteRange[]
}

/** What damages a photo: where its scan lies and numbers from 0 up to 1. */
export interface DamageContext {
  readonly scan: number
  readonly end: number
  readonly random: () => number
}

export type PhotoDamage = (photo: Uint8Array, context: DamageContext) => DamagedPhoto

const SECTOR = 512
/** Parts of the scan at both ends in which no damage begins. */
const MARGIN = 0.05

function spot({ scan, end, random }: DamageContext): number {
  return scan + Math.floor((MARGIN + (1 - 2 * MARGIN) * random()) * (end - scan))
}

/** Overwrites sectors as a failing card does: `count` times `length` bytes from a multiple of 512 on. */
function overwrite(count: number, length: number, noise: boolean): PhotoDamage {
  return (photo, context) => {
    const bytes = Uint8Array.from(photo)
    const hits = Array.from({ length: count }, (): ByteRange => {
      const at = Math.max(context.scan, spot(context) & -SECTOR)
      const to = Math.min(at + length, context.end)
      for (let i = at; i < to; i++) bytes[i] = noise ? Math.floor(context.random() * 256) : 0
      return [at, to]
    })
    return { bytes, hits }
  }
}

function flip(count: number): PhotoDamage {
  return (photo, context) => {
    const bytes = Uint8Array.from(photo)
    const hits = Array.from({ length: count }, (): ByteRange => {
      const at = spot(context)
      bytes[at] ^= 1 << Math.floor(context.random() * 8)
      return [at, at + 1]
    })
    return { bytes, hits }
  }
}

function remove(length: number): PhotoDamage {
  return (photo, context) => {
    const at = Math.min(spot(context), Math.max(context.scan + 1, context.end - length - SECTOR))
    const to = Math.min(at + length, context.end)
    return { bytes: without(photo, at, to), hits: [[at, to]] }
  }
}

function insert(length: number): PhotoDamage {
  return (photo, context) => {
    const at = spot(context)
    const more = Uint8Array.from({ length }, () => Math.floor(context.random() * 255))
    return { bytes: join([photo.subarray(0, at), more, photo.subarray(at)]), hits: [] }
  }
}

function truncate(part: number): PhotoDamage {
  return (photo, { scan, end }) => {
    const at = scan + Math.floor((end - scan) * part)
    return { bytes: photo.slice(0, at), hits: [[at, end]] }
  }
}

/** Damages of the entropy-coded data. */
export const SCAN_DAMAGES: Readonly<Record<string, PhotoDamage>> = {
  zero1: overwrite(1, SECTOR, false),
  zero5: overwrite(5, SECTOR, false),
  zero20: overwrite(20, SECTOR, false),
  zero4k: overwrite(1, 8 * SECTOR, false),
  rand1: overwrite(1, SECTOR, true),
  rand5: overwrite(5, SECTOR, true),
  rand20: overwrite(20, SECTOR, true),
  flip1: flip(1),
  flip5: flip(5),
  flip20: flip(20),
  insert16: insert(16),
  insert4k: insert(8 * SECTOR),
  delete512: remove(SECTOR),
  delete32k: remove(64 * SECTOR),
  truncate50: truncate(0.5),
  truncate90: truncate(0.9),
}

function zeroHead(length: number): PhotoDamage {
  return (photo) => {
    const bytes = Uint8Array.from(photo)
    bytes.fill(0, 0, length)
    return { bytes, hits: [] }
  }
}

/** Zeros, or noise, over the bodies of segments. */
function hitSegments(codes: readonly number[], noise: boolean): PhotoDamage {
  return (photo, { random }) => {
    const bytes = Uint8Array.from(photo)
    for (const { start, end, code } of walkHeader(photo)) {
      if (!codes.includes(code)) continue
      for (let at = start; at < end; at++) bytes[at] = noise ? Math.floor(random() * 256) : 0
    }
    return { bytes, hits: [] }
  }
}

function noiseHead(length: number): PhotoDamage {
  return (photo, { random }) => {
    const bytes = Uint8Array.from(photo)
    for (let at = 0; at < length; at++) bytes[at] = Math.floor(random() * 256)
    return { bytes, hits: [] }
  }
}

/** Damages of formats without blocks of their own: of the data, and of the head in front, all of which survives. */
export const PLAIN_DAMAGES: Readonly<Record<string, PhotoDamage>> = {
  zero1: overwrite(1, SECTOR, false),
  rand1: overwrite(1, SECTOR, true),
  flip1: flip(1),
  insert16: insert(16),
  delete512: remove(SECTOR),
  truncate50: truncate(0.5),
  truncate90: truncate(0.9),
  'head-8': zeroHead(8),
  'head-20': zeroHead(20),
}

function dropSegments(marker: (code: number) => boolean): PhotoDamage {
  return (photo) => {
    let bytes = photo
    for (const { start, end, code } of walkHeader(photo).reverse()) {
      if (marker(code)) bytes = without(bytes, start, end)
    }
    return { bytes, hits: [] }
  }
}

const START_OF_FRAME = [0xc0, 0xc1, 0xc2]

/** Damages of what stands in front of the entropy-coded data, all of which survives. */
export const HEAD_DAMAGES: Readonly<Record<string, PhotoDamage>> = {
  'no-start': zeroHead(2),
  'zero-512': zeroHead(SECTOR),
  'app-length': (photo) => {
    const bytes = Uint8Array.from(photo)
    bytes[4] ^= 0x40
    return { bytes, hits: [] }
  },
  'no-dqt': dropSegments((code) => code === 0xdb),
  'no-dht': dropSegments((code) => code === 0xc4),
  'no-sof': dropSegments((code) => START_OF_FRAME.includes(code)),
  'no-sos': dropSegments((code) => code === 0xda),
  'hit-dqt': hitSegments([0xdb], false),
  'hit-dht': hitSegments([0xc4], true),
  'hit-sof': hitSegments(START_OF_FRAME, true),
  'hit-sos': hitSegments([0xda], false),
  'noise-512': noiseHead(SECTOR),
  'zero-all': (photo, context) => zeroHead(context.scan)(photo, context),
  'scan-only': (photo, { scan }) => ({ bytes: photo.slice(scan), hits: [] }),
}

function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return join([bytes.subarray(0, from), bytes.subarray(to)])
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
