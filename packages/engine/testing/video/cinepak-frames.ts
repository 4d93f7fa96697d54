import { noise } from './replay.ts'

/** Pixels of a frame of two strips. */
export const CINEPAK_WIDTH = 64
export const CINEPAK_HEIGHT = 32
/** Blocks of four by four pixels in a strip. */
const BLOCKS = (CINEPAK_WIDTH / 4) * (CINEPAK_HEIGHT / 2 / 4)
const FULL_BOOKS = [0x20, 0x22]
const PARTIAL_BOOKS = [0x21, 0x23]

/** A frame of Cinepak: one that stands for itself, or one that leaves every second block as it was. */
export function cinepakFrame(key: boolean, seed: number): Uint8Array {
  const strips = [0, 1].flatMap(() => strip(key, seed))
  const length = 10 + strips.length
  return Uint8Array.from([
    ...[key ? 0 : 1, ...u24(length), ...u16(CINEPAK_WIDTH), ...u16(CINEPAK_HEIGHT), ...u16(2)],
    ...strips,
  ])
}

function strip(key: boolean, seed: number): number[] {
  const books = (key ? FULL_BOOKS : PARTIAL_BOOKS).flatMap((kind) =>
    chunk(kind, key ? [...noise(48, seed)] : []),
  )
  const body = [...books, ...(key ? chunk(0x30, vectors(seed)) : chunk(0x31, skipped(seed)))]
  return [
    ...[...u16(key ? 0x1000 : 0x1100), ...u16(12 + body.length)],
    ...[...u16(0), ...u16(0), ...u16(CINEPAK_HEIGHT / 2), ...u16(CINEPAK_WIDTH)],
    ...body,
  ]
}

/** Blocks by four vectors and by one, in turns. */
function vectors(seed: number): number[] {
  const bytes = noise(BLOCKS * 4, seed)
  const all: number[] = []
  for (let block = 0; block < BLOCKS; block++) {
    if (block % 32 === 0) all.push(0xaa, 0xaa, 0xaa, 0xaa)
    all.push(...bytes.subarray(block * 4, block * 4 + (block % 2 === 0 ? 4 : 1)))
  }
  return all
}

/** Every second block by one vector: a bit that it is left out, or one that it is not and one that it has a single vector. */
function skipped(seed: number): number[] {
  const bytes = noise(BLOCKS, seed)
  const bits = Array.from({ length: BLOCKS }, (_, block) => (block % 2 === 0 ? '10' : '0')).join('')
  const all: number[] = []
  let block = 0
  for (let at = 0; at < bits.length; at += 32) {
    const word = bits.slice(at, at + 32).padEnd(32, '0')
    for (let byte = 0; byte < 32; byte += 8) all.push(Number.parseInt(word.slice(byte, byte + 8), 2))
    // a vector stands behind the word that holds its second bit
    const seen = bits.slice(0, at + 32)
    const read = countVectors(seen)
    for (; block < read; block++) all.push(bytes[block])
  }
  return all
}

function countVectors(bits: string): number {
  let count = 0
  for (let at = 0; at < bits.length; at += bits[at] === '1' ? 2 : 1)
    if (bits[at] === '1' && at + 1 < bits.length) count++
  return count
}

function chunk(kind: number, body: readonly number[]): number[] {
  return [kind, 0, ...u16(4 + body.length), ...body]
}

function u16(value: number): number[] {
  return [value >> 8, value & 255]
}

function u24(value: number): number[] {
  return [value >> 16, ...u16(value & 0xffff)]
}
