import { readGifLzw } from '../../../codecs/lzw/gif-lzw.ts'
import type { Allowance } from '../../../model/allowance.ts'
import {
  type Chain,
  type Descriptor,
  followChain,
  introducerAt,
  readChain,
  type Segment,
  streamOf,
} from '../read/blocks.ts'

/** Lengths that encoders give every sub-block but the last. */
const USUAL = [255, 254]

/** The usual length of a chain's sub-blocks, and the first one that is another. */
export function oddSegment(segments: readonly Segment[]): { readonly index: number; readonly usual: number } {
  const usual =
    USUAL.find((each) => segments.filter(({ length }) => length === each).length > segments.length / 4) ?? 255
  const index = segments.findIndex(({ length }) => length !== usual)
  return { index: index < 0 ? segments.length : index, usual }
}

/**
 * A chain of which one length was hit: another length from which it goes on to a terminator with a block behind, and with which
 * the data come to exactly the pixels wanted and their end code.
 */
export function mendChain(
  bytes: Uint8Array,
  descriptor: Descriptor,
  chain: Chain,
  allowance: Allowance,
): Chain | undefined {
  const { index } = oddSegment(chain.segments)
  const kept = chain.segments.slice(0, index)
  const last = kept.at(-1)
  const at = last ? last.offset + last.length : descriptor.data
  const wanted = descriptor.width * descriptor.height
  for (let length = 255; length > 0; length--) {
    const rest = at + 1 + length
    if (rest >= bytes.length || !allowance.take(1)) continue
    const further = followChain(bytes, rest)
    if (!allowance.take(further.count)) return undefined
    if (!further.closed || !introducerAt(bytes, further.end)) continue
    const segments = [...kept, { offset: at + 1, length }, ...readChain(bytes, rest).segments]
    const stream = streamOf(bytes, segments)
    if (!allowance.take(stream.length)) return undefined
    const { ended, pixels, bits, width } = readGifLzw(stream, descriptor.codeSize, wanted)
    if (ended && pixels === wanted && Math.ceil((bits + width) / 8) === stream.length)
      return { segments, end: further.end, closed: true }
  }
  return undefined
}
