import { codeLengths } from './code-lengths.ts'
import { distanceBits, LENGTH_BITS, LENGTH_ORDER, LENGTHS, LONGEST_MATCH, leastDistance } from './inflater.ts'
import type { LowBitWriter } from './low-bit-writer.ts'
import { LONGEST_CODE, reversed } from './prefix-code.ts'

const WINDOW = 32_768
const HASH_BITS = 15
const SHORTEST = 3
/** Earlier places that are tried for a longer repetition. */
const TRIES = 8
/** Symbols of a block. */
const BLOCK_SYMBOLS = 1 << 14
const LITERALS = 286
const DISTANCES = 30
const END_OF_BLOCK = 256
const FIRST_LENGTH = 257
const LONGEST_LENGTH_CODE = 7

const LENGTH_SYMBOL = new Uint8Array(LONGEST_MATCH + 1)
for (let symbol = 0; symbol < LENGTHS.length; symbol++)
  LENGTH_SYMBOL.fill(symbol, LENGTHS[symbol], (LENGTHS[symbol + 1] ?? LONGEST_MATCH) + 1)
LENGTH_SYMBOL[LONGEST_MATCH] = LENGTHS.length - 1

function distanceSymbol(distance: number): number {
  if (distance < 5) return distance - 1
  const bits = 31 - Math.clz32(distance - 1)
  return 2 * bits + (((distance - 1) >> (bits - 1)) & 1)
}

/**
 * Deflates bytes[from, end) in blocks of their own codes, RFC 1951 §3.2.7, the last of them marked as such. Bytes before `from`
 * are known to the reader and may be repeated.
 */
export function deflate(bytes: Uint8Array, from: number, writer: LowBitWriter): void {
  const matcher = new Matcher(bytes, Math.max(0, from - WINDOW))
  for (let at = matcher.start; at < from; at++) matcher.note(at)
  const most = Math.min(BLOCK_SYMBOLS, Math.max(0, bytes.length - from))
  const values = new Uint16Array(most)
  const distances = new Uint16Array(most)
  let at = from
  do {
    let count = 0
    while (count < BLOCK_SYMBOLS && at < bytes.length) {
      const { length, distance } = matcher.longest(at)
      values[count] = length >= SHORTEST ? length : bytes[at]
      distances[count++] = length >= SHORTEST ? distance : 0
      for (const end = at + Math.max(1, length >= SHORTEST ? length : 1); at < end; at++) matcher.note(at)
    }
    writeBlock(values, distances, count, at >= bytes.length, writer)
  } while (at < bytes.length)
}

/** Newest place of each hash, for one stream at a time: a file may have thousands of small ones. */
const NEWEST = new Int32Array(1 << HASH_BITS)

/** Finds repetitions by a hash of three bytes. */
class Matcher {
  readonly start: number
  readonly #bytes: Uint8Array
  readonly #newest = NEWEST.fill(-1)
  readonly #older: Int32Array
  readonly #found = { length: 0, distance: 0 }

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.start = start
    this.#older = new Int32Array(Math.min(WINDOW, bytes.length))
  }

  note(at: number): void {
    if (at + SHORTEST > this.#bytes.length) return
    const hash = this.#hash(at)
    this.#older[at % WINDOW] = this.#newest[hash]
    this.#newest[hash] = at
  }

  longest(at: number): { readonly length: number; readonly distance: number } {
    const bytes = this.#bytes
    const found = this.#found
    found.length = 0
    const most = Math.min(LONGEST_MATCH, bytes.length - at)
    if (most < SHORTEST) return found
    let place = this.#newest[this.#hash(at)]
    for (let tries = 0; tries < TRIES && place >= 0 && at - place <= WINDOW; tries++) {
      let length = 0
      while (length < most && bytes[place + length] === bytes[at + length]) length++
      if (length > found.length) {
        found.length = length
        found.distance = at - place
        if (length === most) break
      }
      const older = this.#older[place % WINDOW]
      if (older >= place) break
      place = older
    }
    return found
  }

  #hash(at: number): number {
    const bytes = this.#bytes
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16)
    return Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS)
  }
}

function writeBlock(
  values: Uint16Array,
  distances: Uint16Array,
  count: number,
  last: boolean,
  writer: LowBitWriter,
): void {
  const literalCounts = new Uint32Array(LITERALS)
  const distanceCounts = new Uint32Array(DISTANCES)
  literalCounts[END_OF_BLOCK] = 1
  for (let i = 0; i < count; i++) {
    if (distances[i] === 0) literalCounts[values[i]]++
    else {
      literalCounts[FIRST_LENGTH + LENGTH_SYMBOL[values[i]]]++
      distanceCounts[distanceSymbol(distances[i])]++
    }
  }
  const literalLengths = codeLengths(literalCounts, LONGEST_CODE)
  const distanceLengths = codeLengths(distanceCounts, LONGEST_CODE)
  writer.put(last ? 1 : 0, 1)
  writer.put(2, 2)
  writeLengths(literalLengths, distanceLengths, writer)
  const literalWords = wordsOf(literalLengths)
  const distanceWords = wordsOf(distanceLengths)
  for (let i = 0; i < count; i++) {
    const distance = distances[i]
    if (distance === 0) {
      writer.put(literalWords[values[i]], literalLengths[values[i]])
      continue
    }
    const length = LENGTH_SYMBOL[values[i]]
    writer.put(literalWords[FIRST_LENGTH + length], literalLengths[FIRST_LENGTH + length])
    writer.put(values[i] - LENGTHS[length], LENGTH_BITS[length])
    const symbol = distanceSymbol(distance)
    writer.put(distanceWords[symbol], distanceLengths[symbol])
    writer.put(distance - leastDistance(symbol), distanceBits(symbol))
  }
  writer.put(literalWords[END_OF_BLOCK], literalLengths[END_OF_BLOCK])
}

function writeLengths(literals: Uint8Array, distances: Uint8Array, writer: LowBitWriter): void {
  const all = Uint8Array.from([...literals, ...distances])
  const counts = new Uint32Array(LENGTH_ORDER.length)
  for (const length of all) counts[length]++
  const lengths = codeLengths(counts, LONGEST_LENGTH_CODE)
  const words = wordsOf(lengths)
  writer.put(literals.length - 257, 5)
  writer.put(distances.length - 1, 5)
  writer.put(LENGTH_ORDER.length - 4, 4)
  for (const symbol of LENGTH_ORDER) writer.put(lengths[symbol], 3)
  for (const length of all) writer.put(words[length], lengths[length])
}

/** The words of a code by their lengths, the first bit of each lowest, RFC 1951 §3.2.2. */
function wordsOf(lengths: Uint8Array): Uint16Array {
  const next = new Uint32Array(LONGEST_CODE + 2)
  for (const length of lengths) if (length > 0) next[length + 1]++
  for (let length = 2; length <= LONGEST_CODE; length++) next[length] = (next[length - 1] + next[length]) << 1
  const words = new Uint16Array(lengths.length)
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]
    if (length > 0) words[symbol] = reversed(next[length]++, length)
  }
  return words
}
