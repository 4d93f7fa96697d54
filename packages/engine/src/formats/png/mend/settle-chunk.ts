import { inflateZlib } from '../../../bytes/deflate/inflate-zlib.ts'
import { Allowance } from '../../../model/allowance.ts'
import { type Chunk, chunkCrc, u32 } from '../read/chunk.ts'
import { type Header, PALETTE } from '../read/header.ts'
import { type HitByte, hitByte, withByte } from './solve-checksum.ts'

/** What becomes of a chunk that holds no image data. */
export interface SettledChunk {
  readonly chunk: Chunk
  /** `keep`: as it stands; `rewrite`: its data with right fields around them; `drop`: nothing of it can be used. */
  readonly fate: 'keep' | 'rewrite' | 'drop'
  readonly data: Uint8Array
  /** What the hit may have cost. */
  readonly cost: 'none' | 'colour' | 'metadata'
  /** The byte that was put right. */
  readonly hit?: HitByte
}

/** Chunks by which colours are shown: PNG (Third Edition) §11.3.2, and transparency. */
const COLOUR_CHUNKS: ReadonlySet<string> = new Set([
  ...['PLTE', 'tRNS', 'gAMA', 'cHRM', 'iCCP', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'sBIT'],
])
/** Profiles of colour up to so many bytes are inflated to be checked. */
const MOST_PROFILE = 1 << 24
/** Profiles of a file that are inflated: it may have one, PNG (Third Edition) §11.3.2.3. */
const MOST_PROFILES = 4

/** Profiles that may still be inflated of a file. */
export function profilesToInflate(): Allowance {
  return new Allowance(MOST_PROFILES)
}

/** Puts one chunk right by its checksum where a byte was hit; says what it costs where more was. */
export function settleChunk(bytes: Uint8Array, chunk: Chunk, profiles: Allowance): SettledChunk {
  const data = bytes.subarray(chunk.body, chunk.body + chunk.length)
  const { type, crc } = chunk
  if (crc === 'right') {
    const fate = chunk.typeHit || chunk.lengthHit ? 'rewrite' : 'keep'
    return { chunk, fate, data, cost: 'none' }
  }
  if (type === 'IEND') return { chunk, fate: 'rewrite', data: new Uint8Array(0), cost: 'none' }
  if (crc === 'missing') return { chunk, fate: 'drop', data, cost: costOf(type) }
  const hit = hitByte(bytes, chunk)
  if (hit) return { chunk, fate: 'rewrite', data: withByte(bytes, chunk, hit), cost: 'none', hit }
  if (isRightWithout(bytes, chunk, data, profiles)) return { chunk, fate: 'rewrite', data, cost: 'none' }
  // a palette that was hit in part still has the other colours; a profile or gamma that was hit would change them all
  const kept = type === 'PLTE' || type === 'tRNS' || !COLOUR_CHUNKS.has(type)
  return { chunk, fate: kept ? 'rewrite' : 'drop', data, cost: costOf(type) }
}

function costOf(type: string): SettledChunk['cost'] {
  return COLOUR_CHUNKS.has(type) ? 'colour' : 'metadata'
}

/** Bits by which a checksum that was hit itself differs at most from the right one. */
const FEW_BITS = 2

/** Whether the data are right although the checksum is not: it was hit itself, or they have one of their own. */
function isRightWithout(
  bytes: Uint8Array,
  { type, body, length }: Chunk,
  data: Uint8Array,
  profiles: Allowance,
): boolean {
  let difference = chunkCrc(type, data) ^ u32(bytes, body + length)
  let bits = 0
  for (; difference !== 0; difference &= difference - 1) bits++
  if (bits <= FEW_BITS) return true
  if (type !== 'iCCP' || !profiles.take()) return false
  const name = data.indexOf(0)
  return name > 0 && inflateZlib(data.subarray(name + 2), MOST_PROFILE).checked === true
}

/**
 * Whether a palette can be one of a picture's, §11.2.2. Of one whose checksum is right, decoders leave out colours that no bits
 * name.
 */
export function isPalette({ data, fate }: SettledChunk, { colour, depth }: Header): boolean {
  if (data.length === 0 || data.length % 3 !== 0 || data.length > 3 * 256) return false
  return fate === 'keep' || colour !== PALETTE || data.length / 3 <= 1 << depth
}
