/** Tags of a VC-5 stream, SMPTE ST 2073-1:2014 §8 and ST 2073-3:2015 (the pattern of a sensor's components). */
export const CHANNELS = 12
export const WIDTH = 20
export const HEIGHT = 21
export const SUBBAND = 48
export const PATTERN_WIDTH = 106
export const PATTERN_HEIGHT = 107
/** A codeblock: the low byte of its tag has the high bits of its size. */
export const CODEBLOCK = 0x6000

/** A pair of a tag and its value. */
export interface Pair {
  readonly tag: number
  readonly value: number
  /** Bytes of what belongs to it, from `end` on; 0 for one that only tells a value or how large what follows is. */
  readonly length: number
  /** Where it ends, and what belongs to it begins: behind that, where it is a chunk that is not read here. */
  readonly end: number
}

const PAIR = 4
const WORD = 4
/** Bits of tags whose value is the words that follow, and of those that have a larger size, of 24 bits. */
const SMALL_CHUNK = 0x4000
const LARGE_CHUNK = 0x2000

/** The pair at an offset; undefined behind the last. */
export function readPair(view: DataView, at: number): Pair | undefined {
  if (at + PAIR > view.byteLength) return undefined
  // an optional pair has its tag negated
  const tag = Math.abs(view.getInt16(at))
  const value = view.getUint16(at + 2)
  const end = at + PAIR
  if ((tag & CODEBLOCK) === CODEBLOCK)
    return { tag: CODEBLOCK, value, length: (((tag & 0xff) << 16) | value) * WORD, end }
  if (tag & SMALL_CHUNK) return { tag, value, length: 0, end: end + value * WORD }
  return { tag: tag & LARGE_CHUNK ? LARGE_CHUNK : tag, value, length: 0, end }
}
