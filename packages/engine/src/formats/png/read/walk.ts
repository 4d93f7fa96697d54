import type { Region } from '../../../bytes/regions.ts'
import { Allowance } from '../../../model/allowance.ts'
import {
  CHECKSUM,
  CHUNK_HEAD,
  type Chunk,
  chunkCrc,
  chunkEnd,
  isKnownAt,
  isType,
  KNOWN_TYPES,
  LONGEST_CHUNK,
  SIGNATURE,
  typeAt,
  typeOneBitFrom,
  u32,
} from './chunk.ts'

/** The chunks of a file, wherever its length fields lead. */
export interface Walk {
  /** Whether the file begins with the signature. */
  readonly signature: boolean
  /** Where the first chunk begins. */
  readonly start: number
  readonly chunks: readonly Chunk[]
  /** Bytes between chunks that belong to none. */
  readonly junk: readonly Region[]
  /** One past the end of the image, or of the last chunk where that is missing. */
  readonly end: number
  /** Whether an IEND was found. */
  readonly ended: boolean
}

/** Data up to which every type is tried for a chunk whose own was hit, and the types tried for longer ones. */
const MOST_RETYPED = 1 << 14
const LONG_TYPES = ['IDAT', 'iCCP', 'eXIf', 'iTXt', 'zTXt']
/**
 * Chunks of any file, and stretches between them, and bytes for each further one: what a row of a tall picture for each comes to.
 * What stands behind them is one stretch more.
 */
const MOST_PIECES = 65_536
const BYTES_A_PIECE = 512
/** Bytes in which the first chunk is looked for where the signature is gone. */
const HEAD = 1 << 16
/** Bytes of checksums by the bytes of the file, and for a small file. */
const CHECKED_SHARE = 64
const CHECKED_LEAST = 1 << 24
/** Bytes of an IHDR. */
export const HEADER_CHUNK = 25

/** Finds every chunk of a file, by lengths and types where they are right, by what follows and by checksums where not. */
export function walk(bytes: Uint8Array): Walk {
  return new Walker(bytes).walk()
}

class Walker {
  readonly #bytes: Uint8Array
  readonly #allowance: Allowance

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#allowance = new Allowance(CHECKED_SHARE * bytes.length + CHECKED_LEAST)
  }

  walk(): Walk {
    const bytes = this.#bytes
    const signature = SIGNATURE.every((byte, i) => bytes[i] === byte)
    const start = signature ? SIGNATURE.length : this.#firstChunk()
    const chunks: Chunk[] = []
    const junk: Region[] = []
    let at = start
    const most = MOST_PIECES + bytes.length / BYTES_A_PIECE
    while (at < bytes.length) {
      if (chunks.length + junk.length >= most) {
        junk.push({ offset: at, length: bytes.length - at })
        break
      }
      const chunk = this.#asItStands(at) ?? this.#mended(at, chunks.at(-1)?.type ?? '')
      if (!chunk) {
        const next = this.#nextHead(at + 1)
        if (next === undefined) break
        junk.push({ offset: at, length: next - at })
        at = next
        continue
      }
      chunks.push(chunk)
      at = chunkEnd(chunk)
      if (chunk.type === 'IEND') return { signature, start, chunks, junk, end: at, ended: true }
    }
    const end = chunks.length > 0 ? chunkEnd(chunks[chunks.length - 1]) : start
    return { signature, start, chunks, junk, end, ended: false }
  }

  /** Where the first chunk begins in a file whose signature was hit, cut away or put behind something else. */
  #firstChunk(): number {
    const to = Math.min(this.#bytes.length, HEAD)
    for (let at = 0; at + CHUNK_HEAD + CHECKSUM <= to; at++) {
      if (!isKnownAt(this.#bytes, at + 4)) continue
      const chunk = this.#asItStands(at)
      if (!chunk) continue
      const inPlace = at >= SIGNATURE.length + HEADER_CHUNK && chunk.type !== 'IHDR'
      return inPlace ? SIGNATURE.length : at
    }
    return Math.min(SIGNATURE.length, this.#bytes.length)
  }

  /** Whether a checksum agrees with a type and the data in front of it. */
  #agrees(type: string, body: number, end: number): boolean {
    if (!this.#allowance.take(end - body + CHUNK_HEAD)) return false
    return chunkCrc(type, this.#bytes.subarray(body, end)) === u32(this.#bytes, end)
  }

  /** The chunk that the fields at an offset describe, if its checksum or what follows it confirms them. */
  #asItStands(at: number): Chunk | undefined {
    const bytes = this.#bytes
    const body = at + CHUNK_HEAD
    if (body + CHECKSUM > bytes.length) return undefined
    const length = u32(bytes, at)
    const type = typeAt(bytes, at + 4)
    const end = body + length
    if (length > LONGEST_CHUNK || !isType(type) || end + CHECKSUM > bytes.length) return undefined
    const chunk = { type, offset: at, body, length, typeHit: false, lengthHit: false }
    if (this.#agrees(type, body, end)) return { ...chunk, crc: 'right' }
    const follows = this.#isHead(end + CHECKSUM) || type === 'IEND'
    return KNOWN_TYPES.has(type) && follows ? { ...chunk, crc: 'wrong' } : undefined
  }

  /** Whether a chunk seems to begin, or the file ends. */
  #isHead(at: number): boolean {
    return at === this.#bytes.length || (isKnownAt(this.#bytes, at + 4) && this.#bytes[at] < 0x80)
  }

  /** The next place at which a chunk of a known type seems to begin whose own checksum, or what follows it, confirms that. */
  #nextHead(from: number): number | undefined {
    const bytes = this.#bytes
    for (let at = from; at + CHUNK_HEAD <= bytes.length; at++) {
      if (bytes[at] >= 0x80 || !isKnownAt(bytes, at + 4)) continue
      const cut = at + CHUNK_HEAD + u32(bytes, at) + CHECKSUM > bytes.length
      if (cut || this.#asItStands(at)) return at
    }
    return undefined
  }

  /** The chunk at an offset whose length or type was hit, or whose end the file lacks. */
  #mended(at: number, before: string): Chunk | undefined {
    const bytes = this.#bytes
    const body = at + CHUNK_HEAD
    if (body > bytes.length) return undefined
    const told = typeAt(bytes, at + 4)
    const known = KNOWN_TYPES.has(told)
    const length = u32(bytes, at)
    const imageData = before === 'IDAT' || before === 'fdAT'
    const fits = length <= LONGEST_CHUNK && body + length + CHECKSUM <= bytes.length
    const base = { offset: at, body }
    if (fits && !known && this.#isHead(body + length + CHECKSUM)) {
      const type = this.#typeOf(body, body + length)
      if (type) return { ...base, type, length, crc: 'right', typeHit: true, lengthHit: false }
      // the data were hit as well
      const meant = typeOneBitFrom(bytes, at + 4) ?? (imageData && length > 0 ? before : undefined)
      if (meant) return { ...base, type: meant, length, crc: 'wrong', typeHit: true, lengthHit: false }
    }
    const next = this.#nextHead(body + CHECKSUM)
    if (next === undefined) {
      // the file breaks off within this chunk
      const type = known ? told : imageData ? before : undefined
      if (!type || (!known && this.#isZeroFrom(at))) return undefined
      const left = bytes.length - body
      const cut = fits || length > LONGEST_CHUNK ? left : Math.min(length, left)
      return { ...base, type, length: cut, crc: 'missing', typeHit: !known, lengthHit: false }
    }
    const end = next - CHECKSUM
    const type = known ? told : (this.#typeOf(body, end) ?? (imageData ? before : undefined))
    if (!type) return undefined
    const crc = this.#agrees(type, body, end) ? 'right' : 'wrong'
    return { ...base, type, length: end - body, crc, typeHit: !known, lengthHit: length !== end - body }
  }

  /** The known type with which the checksum behind some data agrees. */
  #typeOf(body: number, end: number): string | undefined {
    const types = end - body <= MOST_RETYPED ? [...KNOWN_TYPES] : LONG_TYPES
    return types.find((type) => this.#agrees(type, body, end))
  }

  #isZeroFrom(from: number): boolean {
    for (let at = from; at < this.#bytes.length; at++) if (this.#bytes[at] !== 0) return false
    return true
  }
}
