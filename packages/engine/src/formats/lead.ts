/** Bytes of a damaged file from which on copying it takes longer than finding out how. */
const WORTH_COPYING = 128 * 1024 * 1024
/** An index with a sample for every few kilobytes takes less than this share of its file. */
const INDEX_SHARE = 1 / 256
const INDEX_REST = 512 * 1024
const PAGE = 4096

/** Bytes of a file's start that are looked at. */
export const LOOKED_AT = 4
/** What begins files whose chunks stay where they are: `RIFF`. */
const RIFF = [0x52, 0x49, 0x46, 0x46]
/**
 * What begins files whose formats foretell the result themselves (`SeekableSink.expect`): Matroska, Flash, ASF, program and
 * transport streams.
 */
const FORETOLD = [
  [0x1a, 0x45, 0xdf, 0xa3],
  [0x46, 0x4c, 0x56],
  [0x30, 0x26, 0xb2, 0x75],
  [0, 0, 1, 0xba],
  [0x47],
]

/**
 * How far behind its place in a damaged recording payload is likely to lie in the result, for copying that begins before anything
 * is known but the file's first bytes: not at all where the index stands behind, by the room for one where it stands in front.
 * Undefined where it is not worth it: a file without a sample may be healthy, or keep more of its layout, unless that leaves all
 * bytes in their places. A format that puts it elsewhere loses nothing but what was copied in vain.
 */
export function likelyLead(start: Uint8Array, size: number, hasSample: boolean): number | undefined {
  if (size < WORTH_COPYING) return undefined
  const beginsWith = (bytes: readonly number[]): boolean => bytes.every((byte, at) => start[at] === byte)
  if (beginsWith(RIFF)) return 0
  if (!hasSample || FORETOLD.some(beginsWith)) return undefined
  return Math.ceil((size * INDEX_SHARE + INDEX_REST) / PAGE) * PAGE
}
