/** How a stream ended: `whole`, at the end of its bytes (`cut`), at bits that no encoder writes (`broken`), or at the bound given (`bounded`). */
export type InflateEnd = 'whole' | 'cut' | 'broken' | 'bounded'

/** What a compressed stream held, as far as it could be read. */
export interface Inflated {
  readonly bytes: Uint8Array
  readonly end: InflateEnd
  /** Whether the checksum behind the data agrees; undefined when the stream did not come to its end or has none. */
  readonly checked: boolean | undefined
}

const ZLIB_HEADER = 2
const CHECKSUM = 4
const METHOD_DEFLATE = 8

/**
 * Inflates a zlib stream, RFC 1950, to at most `bound` bytes. What was inflated before the stream breaks off or goes wrong is kept. A header
 * that cannot be one is passed over: its two bytes tell nothing that the data need.
 */
export function inflateZlib(source: Uint8Array, bound: number): Inflated {
  const bits = new BitsFromLow(source, Math.min(ZLIB_HEADER, source.length))
  const out = new Output(bound)
  const end = inflateBlocks(bits, out)
  const bytes = out.bytes()
  const at = bits.byteAfter
  const known = source.length >= ZLIB_HEADER && (source[0] & 15) === METHOD_DEFLATE
  const whole = end === 'whole' && known && at + CHECKSUM <= source.length
  const view = new DataView(source.buffer, source.byteOffset, source.length)
  return { bytes, end, checked: whole ? view.getUint32(at) === adler32(bytes) : undefined }
}

const BASE = 65_521
/** Bytes after which both sums are reduced: before that they fit 32 bits. */
const STRIDE = 5_552

/** Adler-32, RFC 1950 §8.2. */
export function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (let from = 0; from < bytes.length; from += STRIDE) {
    const to = Math.min(bytes.length, from + STRIDE)
    for (let i = from; i < to; i++) {
      a += bytes[i]
      b += a
    }
    a %= BASE
    b %= BASE
  }
  return b * 65_536 + a
}

/** Bits of bytes, the lowest first, RFC 1951 §3.1.1. Past the end they read as zero, and `cut` tells. */
class BitsFromLow {
  readonly #bytes: Uint8Array
  #next: number
  #held = 0
  #count = 0

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes
    this.#next = from
  }

  /** True once more bits were asked for than there are. */
  get cut(): boolean {
    return this.#next - (this.#count >> 3) > this.#bytes.length
  }

  /** Offset of the first byte of which no bit was read. */
  get byteAfter(): number {
    return this.#next - (this.#count >> 3)
  }

  /** The next `count` bits, up to 16. */
  take(count: number): number {
    while (this.#count < count) {
      this.#held |= (this.#bytes[this.#next++] ?? 0) << this.#count
      this.#count += 8
    }
    const value = this.#held & ((1 << count) - 1)
    this.#held >>>= count
    this.#count -= count
    return value
  }

  /** Skips to the next byte; up to `count` bytes from there. */
  takeBytes(count: number): Uint8Array {
    const at = this.byteAfter
    this.#held = 0
    this.#count = 0
    this.#next = at + count
    return this.#bytes.subarray(at, at + count)
  }

  alignToByte(): void {
    const at = this.byteAfter
    this.#held = 0
    this.#count = 0
    this.#next = at
  }
}

const FIRST_ROOM = 1 << 16

/** What was inflated so far. */
class Output {
  #bytes: Uint8Array
  #length = 0
  readonly #bound: number

  constructor(bound: number) {
    this.#bound = bound
    this.#bytes = new Uint8Array(Math.min(bound, FIRST_ROOM))
  }

  get length(): number {
    return this.#length
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  /** False when there is no room for one more byte. */
  put(byte: number): boolean {
    if (!this.#room(1)) return false
    this.#bytes[this.#length++] = byte
    return true
  }

  /** As many of the bytes as there is room for; false when not all. */
  putAll(bytes: Uint8Array): boolean {
    const fits = Math.min(bytes.length, this.#bound - this.#length)
    this.#room(fits)
    this.#bytes.set(bytes.subarray(0, fits), this.#length)
    this.#length += fits
    return fits === bytes.length
  }

  /** Repeats what was put `distance` bytes before; the ranges may overlap. False when not all has room. */
  repeat(distance: number, length: number): boolean {
    const fits = Math.min(length, this.#bound - this.#length)
    this.#room(fits)
    for (let i = 0; i < fits; i++) {
      this.#bytes[this.#length] = this.#bytes[this.#length - distance]
      this.#length++
    }
    return fits === length
  }

  #room(count: number): boolean {
    const needed = this.#length + count
    if (needed > this.#bound) return false
    if (needed <= this.#bytes.length) return true
    const grown = new Uint8Array(Math.min(this.#bound, Math.max(needed, this.#bytes.length * 2)))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
    return true
  }
}

const LONGEST_CODE = 15

/** A prefix code by the lengths of its words, RFC 1951 §3.2.2. */
class PrefixCode {
  /** Code words of each length. */
  readonly #counts = new Uint16Array(LONGEST_CODE + 1)
  /** Symbols in the order of their code words. */
  readonly #symbols: Uint16Array
  /** False when there are more words than their lengths leave room for. */
  readonly possible: boolean

  constructor(lengths: Uint8Array) {
    for (const length of lengths) this.#counts[length]++
    this.#counts[0] = 0
    const starts = new Uint16Array(LONGEST_CODE + 2)
    let room = 1
    let possible = true
    for (let length = 1; length <= LONGEST_CODE; length++) {
      room = room * 2 - this.#counts[length]
      possible &&= room >= 0
      starts[length + 1] = starts[length] + this.#counts[length]
    }
    this.possible = possible
    this.#symbols = new Uint16Array(starts[LONGEST_CODE + 1])
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] > 0) this.#symbols[starts[lengths[symbol]]++] = symbol
    }
  }

  /** The symbol whose word comes next, −1 for a word that the code lacks. */
  read(bits: BitsFromLow): number {
    let word = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= LONGEST_CODE; length++) {
      word = (word << 1) | bits.take(1)
      const count = this.#counts[length]
      if (word - first < count) return this.#symbols[index + word - first]
      index += count
      first = (first + count) << 1
    }
    return -1
  }
}

const STORED = 0
const FIXED = 1
const DYNAMIC = 2

function inflateBlocks(bits: BitsFromLow, out: Output): InflateEnd {
  for (;;) {
    const last = bits.take(1) === 1
    const type = bits.take(2)
    if (bits.cut) return 'cut'
    let end: InflateEnd
    if (type === STORED) end = inflateStored(bits, out)
    else if (type === FIXED) end = inflateCodes(bits, out, FIXED_LITERALS, FIXED_DISTANCES)
    else if (type === DYNAMIC) end = inflateDynamic(bits, out)
    else return 'broken'
    if (end !== 'whole' || last) return end
  }
}

/** RFC 1951 §3.2.4. */
function inflateStored(bits: BitsFromLow, out: Output): InflateEnd {
  bits.alignToByte()
  const length = bits.take(16)
  const inverse = bits.take(16)
  if (bits.cut) return 'cut'
  if ((length ^ inverse) !== 0xffff) return 'broken'
  const bytes = bits.takeBytes(length)
  if (!out.putAll(bytes)) return 'bounded'
  return bytes.length === length ? 'whole' : 'cut'
}

/** RFC 1951 §3.2.5: least length and extra bits of the symbols from 257 on. */
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
]
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5]
LENGTHS.push(163, 195, 227, 258)
LENGTH_BITS.push(5, 5, 5, 0)
const END_OF_BLOCK = 256
const FIRST_LENGTH = 257
const DISTANCE_CODES = 30

/** Least distance of a distance symbol; from the fourth on each extra bit doubles the reach. */
function leastDistance(symbol: number): number {
  return symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << distanceBits(symbol)) + 1
}

function distanceBits(symbol: number): number {
  return symbol < 4 ? 0 : (symbol >> 1) - 1
}

function inflateCodes(
  bits: BitsFromLow,
  out: Output,
  literals: PrefixCode,
  distances: PrefixCode,
): InflateEnd {
  for (;;) {
    const symbol = literals.read(bits)
    if (bits.cut) return 'cut'
    if (symbol === END_OF_BLOCK) return 'whole'
    if (symbol < 0 || symbol - FIRST_LENGTH >= LENGTHS.length) return 'broken'
    if (symbol < END_OF_BLOCK) {
      if (!out.put(symbol)) return 'bounded'
      continue
    }
    const length = LENGTHS[symbol - FIRST_LENGTH] + bits.take(LENGTH_BITS[symbol - FIRST_LENGTH])
    const code = distances.read(bits)
    if (code < 0 || code >= DISTANCE_CODES) return bits.cut ? 'cut' : 'broken'
    const distance = leastDistance(code) + bits.take(distanceBits(code))
    if (bits.cut) return 'cut'
    if (distance > out.length) return 'broken'
    if (!out.repeat(distance, length)) return 'bounded'
  }
}

/** Order in which lengths of the code for code lengths are sent, RFC 1951 §3.2.7. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

function inflateDynamic(bits: BitsFromLow, out: Output): InflateEnd {
  const literalCount = bits.take(5) + 257
  const distanceCount = bits.take(5) + 1
  const lengthCount = bits.take(4) + 4
  const own = new Uint8Array(LENGTH_ORDER.length)
  for (let i = 0; i < lengthCount; i++) own[LENGTH_ORDER[i]] = bits.take(3)
  const code = new PrefixCode(own)
  if (bits.cut) return 'cut'
  if (!code.possible) return 'broken'
  const lengths = new Uint8Array(literalCount + distanceCount)
  for (let at = 0; at < lengths.length; ) {
    const symbol = code.read(bits)
    if (bits.cut) return 'cut'
    if (symbol < 0) return 'broken'
    if (symbol < 16) {
      lengths[at++] = symbol
      continue
    }
    if (symbol === 16 && at === 0) return 'broken'
    const value = symbol === 16 ? lengths[at - 1] : 0
    const count = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7)
    if (at + count > lengths.length) return 'broken'
    lengths.fill(value, at, at + count)
    at += count
  }
  const literals = new PrefixCode(lengths.subarray(0, literalCount))
  const distances = new PrefixCode(lengths.subarray(literalCount))
  if (!literals.possible || !distances.possible || lengths[END_OF_BLOCK] === 0) return 'broken'
  return inflateCodes(bits, out, literals, distances)
}

/** The code that needs no table, RFC 1951 §3.2.6. */
const FIXED_LITERALS = new PrefixCode(
  Uint8Array.from({ length: 288 }, (_, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  ),
)
const FIXED_DISTANCES = new PrefixCode(new Uint8Array(30).fill(5))
