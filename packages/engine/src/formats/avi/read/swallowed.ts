import type { ByteReader } from '../../../bytes/reader.ts'
import { CHUNK_HEADER, padded } from '../../../syntax/riff/chunk.ts'
import { isKind } from './chunk-id.ts'
import type { Places } from './places.ts'

/** Chunks that one may have swallowed. */
const MOST = 64

/**
 * The size that a chunk meant of which a bit turned so that it leads over others to a header at `next` all the same: where chunks
 * follow each other from the end that it meant right to `next`. -1 where there is none such.
 */
export function sizeBeforeSwallowed(
  reader: ByteReader,
  places: Places,
  body: number,
  size: number,
  next: number,
): number {
  // the longest first, whose rest is the least
  for (let bit = 1; bit <= size && bit < 2 ** 31; bit *= 2) {
    const meant = size - bit
    if ((size & bit) === 0 || meant <= 0) continue
    const end = padded(body + meant)
    // two bytes refuse nearly every place
    if (isKind(reader.u16le(end + 2)) && leadsTo(reader, places, end, next)) return meant
  }
  return -1
}

/** Whether at least one chunk of data begins at `from`, and each leads to the next and the last to `until`. */
function leadsTo(reader: ByteReader, places: Places, from: number, until: number): boolean {
  let at = from
  for (let count = 0; count < MOST && at < until; count++) {
    if (places.at(at) !== 'data') return false
    at = padded(at + CHUNK_HEADER + reader.u32le(at + 4))
  }
  return at === until && from < until
}
