import { deflate } from '../../../bytes/deflate/deflate.ts'
import { adler32, ZLIB_HEADER } from '../../../bytes/deflate/inflate-zlib.ts'
import { Inflater, LONGEST_MATCH, type Plain } from '../../../bytes/deflate/inflater.ts'
import { LowBitWriter } from '../../../bytes/deflate/low-bit-writer.ts'

/** The largest window, and a checksum of the two bytes that is right, RFC 1950 §2.2. */
const HEADER = Uint8Array.of(0x78, 0x01)

/** A zlib stream and how many bytes of the old one it begins with, unchanged. */
export interface NewStream {
  readonly bytes: Uint8Array
  readonly kept: number
}

/**
 * A zlib stream of `plain` whose beginning is taken from the old one: bit for bit as far as that gives what `plain` begins with,
 * at most `known` bytes. The rest is deflated anew.
 */
export function mendedStream(old: Uint8Array, plain: Uint8Array, known: number, header: boolean): NewStream {
  const writer = new LowBitWriter()
  const { bits, at, block, endOfBlock } = keptBits(old, plain.length, known)
  const start = Math.floor(bits / 8)
  const beginning = old.slice(0, Math.max(start, ZLIB_HEADER))
  let kept = start
  if (!header) {
    beginning.set(HEADER)
    kept = 0
  }
  if (at > 0 && ((old[block >> 3] >> (block & 7)) & 1) === 1) {
    // its block is no longer the last one
    kept = Math.min(kept, block >> 3)
    if (block >> 3 < beginning.length) beginning[block >> 3] &= ~(1 << (block & 7))
  }
  if (at === 0) {
    writer.putBytes(beginning.subarray(0, ZLIB_HEADER))
    kept = Math.min(kept, ZLIB_HEADER)
  } else {
    writer.putBytes(beginning)
    const rest = bits % 8
    if (rest > 0) writer.put(lastByte(old, start, block) & ((1 << rest) - 1), rest)
    if (endOfBlock) writer.put(endOfBlock.word, endOfBlock.length)
  }
  deflate(plain, at, writer)
  writer.alignToByte()
  const sum = new Uint8Array(4)
  new DataView(sum.buffer).setUint32(0, adler32(plain))
  writer.putBytes(sum)
  return { bytes: writer.bytes(), kept }
}

/** The byte that is kept in part, without the mark of a last block. */
function lastByte(old: Uint8Array, at: number, block: number): number {
  return block >> 3 === at ? old[at] & ~(1 << (block & 7)) : old[at]
}

interface Kept {
  /** Bits of the old stream, and inflated bytes that they are. */
  readonly bits: number
  readonly at: number
  /** First bit of the block they end in. */
  readonly block: number
  readonly endOfBlock: { readonly word: number; readonly length: number } | undefined
}

function keptBits(old: Uint8Array, length: number, known: number): Kept {
  const out: Plain = { bytes: new Uint8Array(length + LONGEST_MATCH), length: 0 }
  const inflater = new Inflater(old, ZLIB_HEADER * 8, out)
  inflater.run(known)
  if (inflater.inBlock && !inflater.inStored) {
    const { symbolEnd: bits, blockStart: block, endOfBlock } = inflater
    return { bits, at: out.length, block, endOfBlock }
  }
  if (!inflater.inBlock && inflater.end !== 'broken') {
    // between two blocks, or in a header that broke off
    const { end, symbolEnd, blockStart, previousBlock } = inflater
    const whole = end === 'whole'
    const bits = whole ? symbolEnd : blockStart
    return { bits, at: out.length, block: whole ? blockStart : previousBlock, endOfBlock: undefined }
  }
  // a stored block tells its length: it is written anew as a whole
  return {
    bits: inflater.blockStart,
    at: inflater.blockAt,
    block: inflater.previousBlock,
    endOfBlock: undefined,
  }
}
