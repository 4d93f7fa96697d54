import { LowBits } from './low-bits.ts'
import { PrefixCode } from './prefix-code.ts'

/** How a stream ended: `whole`, at the end of its bytes (`cut`), at bits that no encoder writes (`broken`). */
export type StreamEnd = 'whole' | 'cut' | 'broken'

/** Where to a stream is inflated. */
export interface Plain {
  bytes: Uint8Array
  /** Bytes filled. */
  length: number
  /** 1 for each byte that is not known, where a stream is read from its middle. */
  readonly unknown?: Uint8Array
}

const STORED = 0
const FIXED = 1
const DYNAMIC = 2
const END_OF_BLOCK = 256
const FIRST_LENGTH = 257
const DISTANCE_CODES = 30
export const LONGEST_MATCH = 258

/** RFC 1951 §3.2.5: least length and extra bits of the symbols from 257 on. */
export const LENGTHS: readonly number[] = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131],
  ...[163, 195, 227, 258],
]
export const LENGTH_BITS: readonly number[] = [
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
]

/** Least distance of a distance symbol; from the fourth on each extra bit doubles the reach. */
export function leastDistance(symbol: number): number {
  return symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << distanceBits(symbol)) + 1
}

export function distanceBits(symbol: number): number {
  return symbol < 4 ? 0 : (symbol >> 1) - 1
}

/** Order in which lengths of the code for code lengths are sent, RFC 1951 §3.2.7. */
export const LENGTH_ORDER: readonly number[] = [
  ...[16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15],
]

/** Both codes of a block. */
export interface BlockCodes {
  readonly literals: PrefixCode
  readonly distances: PrefixCode
}

let fixed: BlockCodes | undefined

/** The codes that need no table, RFC 1951 §3.2.6. */
function fixedCodes(): BlockCodes {
  fixed ??= {
    literals: new PrefixCode(
      Uint8Array.from({ length: 288 }, (_, symbol) =>
        symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
      ),
    ),
    distances: new PrefixCode(new Uint8Array(30).fill(5)),
  }
  return fixed
}

/** The codes that a block of its own codes begins with, RFC 1951 §3.2.7; undefined where none can be read. */
export function readCodes(bits: LowBits): BlockCodes | undefined {
  const literalCount = bits.take(5) + 257
  const distanceCount = bits.take(5) + 1
  const lengthCount = bits.take(4) + 4
  const own = new Uint8Array(LENGTH_ORDER.length)
  for (let i = 0; i < lengthCount; i++) own[LENGTH_ORDER[i]] = bits.take(3)
  const code = new PrefixCode(own)
  if (!code.possible) return undefined
  const lengths = new Uint8Array(literalCount + distanceCount)
  for (let at = 0; at < lengths.length; ) {
    const symbol = code.read(bits)
    if (symbol < 0 || bits.cut) return undefined
    if (symbol < 16) {
      lengths[at++] = symbol
      continue
    }
    if (symbol === 16 && at === 0) return undefined
    const value = symbol === 16 ? lengths[at - 1] : 0
    const count = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7)
    if (at + count > lengths.length) return undefined
    lengths.fill(value, at, at + count)
    at += count
  }
  // most of what is read in search of a block is none: it costs no more than it has to
  if (lengths[END_OF_BLOCK] === 0) return undefined
  const literals = new PrefixCode(lengths.subarray(0, literalCount))
  if (!literals.possible) return undefined
  const distances = new PrefixCode(lengths.subarray(literalCount))
  return distances.possible ? { literals, distances } : undefined
}

/**
 * Inflates a stream, RFC 1951, piece by piece, and knows at any time which bit comes next and in which block that is. Distances
 * that reach before the beginning of the output break the stream off.
 */
export class Inflater {
  readonly #bits: LowBits
  readonly #out: Plain
  #codes: BlockCodes | undefined
  /** Bytes left of a stored block. */
  #stored = 0
  #within = false
  #last = false
  /** First bit of the block that is being read, or was read last. */
  blockStart: number
  /** First bit behind the last symbol whose bytes are in the output. */
  symbolEnd: number
  /** Bytes of the output in front of that block. */
  blockAt = 0
  /** First bit of the block before it. */
  previousBlock: number
  /** How the stream ended; undefined while there is more. */
  end: StreamEnd | undefined

  /** @param bit where a block begins; bytes of `out` that are filled already can be repeated */
  constructor(source: Uint8Array, bit: number, out: Plain) {
    this.#bits = new LowBits(source, bit)
    this.#out = out
    this.blockStart = bit
    this.previousBlock = bit
    this.symbolEnd = bit
  }

  /** The word that ends the block being read; undefined in a stored one and between blocks. */
  get endOfBlock(): { readonly word: number; readonly length: number } | undefined {
    return this.#within ? this.#codes?.literals.wordOf(END_OF_BLOCK) : undefined
  }

  /** Whether a stored block is being read. */
  get inStored(): boolean {
    return this.#within && !this.#codes
  }

  /** Whether a block is being read, so that what comes next is no block's beginning. */
  get inBlock(): boolean {
    return this.#within
  }

  /** Inflates whole symbols as long as the output stays at or below `target` bytes and the stream goes on. */
  run(target: number): void {
    const stop = Math.min(target, this.#out.bytes.length)
    while (this.end === undefined) {
      if (!this.#within && !this.#begin()) return
      const more = this.#codes ? this.#symbols(this.#codes, stop) : this.#copy(stop)
      if (!more) return
      this.#within = false
      if (this.#last) this.end = 'whole'
    }
  }

  /** Inflates one block; false when the stream ends badly in it, or the output is full. */
  runBlock(): boolean {
    if (this.end !== undefined || (!this.#within && !this.#begin())) return false
    const stop = this.#out.bytes.length
    const more = this.#codes ? this.#symbols(this.#codes, stop) : this.#copy(stop)
    if (more) this.#within = false
    if (more && this.#last) this.end = 'whole'
    return more
  }

  #begin(): boolean {
    const bits = this.#bits
    this.previousBlock = this.blockStart
    this.blockStart = bits.position
    this.blockAt = this.#out.length
    this.#last = bits.take(1) === 1
    const type = bits.take(2)
    this.#codes = undefined
    if (type === STORED) {
      bits.alignToByte()
      this.#stored = bits.take(16)
      const inverse = bits.take(16)
      if (!bits.cut && (this.#stored ^ inverse) !== 0xffff) return this.#stop('broken')
    } else if (type === FIXED) this.#codes = fixedCodes()
    else if (type === DYNAMIC) this.#codes = readCodes(bits)
    if (bits.cut) return this.#stop('cut')
    if (type !== STORED && !this.#codes) return this.#stop('broken')
    this.#within = true
    this.symbolEnd = bits.position
    return true
  }

  #stop(end: StreamEnd): false {
    this.end = end
    return false
  }

  /** True when the block is over. */
  #copy(stop: number): boolean {
    const out = this.#out
    const wanted = Math.min(this.#stored, stop - out.length)
    const bytes = this.#bits.takeBytes(wanted)
    out.bytes.set(bytes, out.length)
    out.length += bytes.length
    this.#stored -= bytes.length
    this.symbolEnd = this.#bits.position - (wanted - bytes.length) * 8
    if (bytes.length < wanted) return this.#stop('cut')
    return this.#stored === 0
  }

  #symbols({ literals, distances }: BlockCodes, stop: number): boolean {
    const bits = this.#bits
    const out = this.#out
    const { bytes, unknown } = out
    let length = out.length
    let done = this.symbolEnd
    let result = false
    for (;;) {
      const before = bits.position
      const symbol = literals.read(bits)
      if (symbol >= 0 && symbol < END_OF_BLOCK) {
        if (bits.cut) {
          this.end = 'cut'
          break
        }
        if (length >= stop) {
          this.#rewind(before)
          break
        }
        bytes[length++] = symbol
        done = bits.position
        continue
      }
      if (symbol === END_OF_BLOCK) {
        if (bits.cut) this.end = 'cut'
        else {
          done = bits.position
          result = true
        }
        break
      }
      const at = symbol - FIRST_LENGTH
      if (symbol < 0 || at >= LENGTHS.length) {
        this.end = bits.cut ? 'cut' : 'broken'
        break
      }
      const count = LENGTHS[at] + bits.take(LENGTH_BITS[at])
      const code = distances.read(bits)
      if (code < 0 || code >= DISTANCE_CODES) {
        this.end = bits.cut ? 'cut' : 'broken'
        break
      }
      const distance = leastDistance(code) + bits.take(distanceBits(code))
      if (bits.cut) {
        this.end = 'cut'
        break
      }
      if (distance > length) {
        this.end = 'broken'
        break
      }
      if (length + count > stop) {
        this.#rewind(before)
        break
      }
      for (let i = 0; i < count; i++, length++) bytes[length] = bytes[length - distance]
      if (unknown) for (let i = length - count; i < length; i++) unknown[i] = unknown[i - distance]
      done = bits.position
    }
    out.length = length
    this.symbolEnd = done
    return result
  }

  /** Goes back to a symbol's first bit, to read it again when there is room. */
  #rewind(position: number): void {
    this.#bits.seek(position)
  }
}
