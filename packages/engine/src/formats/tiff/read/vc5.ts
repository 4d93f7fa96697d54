import type { ByteReader } from '../../../bytes/reader.ts'

/** Where a VC-5 stream becomes the photo's own. */
export interface Vc5Anchor {
  /** Bytes from its start to the first coefficients: the same in all photos of a camera, but for the sizes of what follows. */
  readonly start: number
  /** Bytes from its start to what stands behind the first, uncoded band. */
  readonly offset: number
  /** What stands there: the headers of the second band. */
  readonly pattern: Uint8Array
}

const MAGIC = 0x56_43_2d_35
/** Tag of a codeblock whose size takes 24 bits: the low byte of the tag, then the value. SMPTE ST 2073-1:2014 §8. */
const LARGE_CODEBLOCK = 0x60
const WORD = 4
/** Tag-value pairs in front of the first band: about 35. */
const MOST_PAIRS = 256
const PATTERN_BYTES = 12

/** Reads a VC-5 stream up to its second band; undefined where none begins. */
export function vc5Anchor(reader: ByteReader, at: number): Vc5Anchor | undefined {
  if (reader.u32(at) !== MAGIC) return undefined
  for (let pair = 1; pair < MOST_PAIRS; pair++) {
    const start = (pair + 1) * WORD
    const place = at + pair * WORD
    // an optional pair has its tag negated
    const signed = reader.u16(place)
    const tag = signed >= 0x8000 ? 0x1_0000 - signed : signed
    if (tag >> 8 !== LARGE_CODEBLOCK) continue
    const size = (((tag & 0xff) << 16) | reader.u16(place + 2)) * WORD
    const offset = start + size
    if (at + offset + PATTERN_BYTES > reader.size) return undefined
    return { start, offset, pattern: Uint8Array.from(reader.bytes(at + offset, PATTERN_BYTES)) }
  }
  return undefined
}
