import { Inflater, LONGEST_MATCH, type Plain, type StreamEnd } from './inflater.ts'

/** How a stream ended; `bounded`: at the bound given. */
export type InflateEnd = StreamEnd | 'bounded'

/** What a compressed stream held, as far as it could be read. */
export interface Inflated {
  readonly bytes: Uint8Array
  readonly end: InflateEnd
  /** Whether the checksum behind the data agrees; undefined when the stream did not come to its end or has none. */
  readonly checked: boolean | undefined
}

export const ZLIB_HEADER = 2
const CHECKSUM = 4
const METHOD_DEFLATE = 8
const FIRST_ROOM = 1 << 16

/**
 * Inflates a zlib stream, RFC 1950, to at most `bound` bytes. What was inflated before the stream breaks off or goes wrong is
 * kept. A header that cannot be one is passed over: its two bytes tell nothing that the data need.
 */
export function inflateZlib(source: Uint8Array, bound: number): Inflated {
  // a symbol that reaches over the bound is read whole
  const room = bound + LONGEST_MATCH
  const out: Plain = { bytes: new Uint8Array(Math.min(room, FIRST_ROOM)), length: 0 }
  const inflater = new Inflater(source, Math.min(ZLIB_HEADER, source.length) * 8, out)
  for (;;) {
    inflater.run(room)
    if (inflater.end !== undefined || out.bytes.length >= room) break
    const grown = new Uint8Array(Math.min(room, out.bytes.length * 2))
    grown.set(out.bytes.subarray(0, out.length))
    out.bytes = grown
  }
  const end = out.length > bound ? 'bounded' : (inflater.end ?? 'bounded')
  const bytes = out.bytes.slice(0, Math.min(bound, out.length))
  const at = Math.ceil(inflater.symbolEnd / 8)
  const known = source.length >= ZLIB_HEADER && (source[0] & 15) === METHOD_DEFLATE
  const whole = end === 'whole' && known && at + CHECKSUM <= source.length
  const view = new DataView(source.buffer, source.byteOffset, source.length)
  return { bytes, end, checked: whole ? view.getUint32(at) === adler32(bytes) : undefined }
}

const BASE = 65_521
/** Bytes after which both sums are reduced: before that they fit 32 bits. */
const STRIDE = 5_552

/** Adler-32, RFC 1950 §8.2, over more bytes; `before` is that of the bytes before, 1 at the start. */
export function adler32(bytes: Uint8Array, before = 1): number {
  let a = before % 65_536
  let b = Math.floor(before / 65_536)
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
