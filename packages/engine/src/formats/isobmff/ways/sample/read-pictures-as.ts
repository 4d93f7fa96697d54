import type { ByteReader } from '../../../../bytes/reader.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import type { TrackDescription } from '../../../../model/track.ts'

/** Bytes of pictures read. */
const MOST_BYTES = 3 << 20
/** Pictures below are hardly more than skips, which read with any configuration. */
const LEAST_BYTES = 256
/** Larger ones that read to their last bit are no chance. */
const ENOUGH = 8

/**
 * Whether pictures of whatever kind read to their last bit with a track's configuration, and as many as do not: where no whole
 * key picture is there to tell.
 */
export function picturesReadAs(
  reader: ByteReader,
  { offset, size, length }: SampleTable,
  description: TrackDescription,
): boolean {
  const pictures = codecNamed(description.codec)?.pictureReader?.(description)
  if (!pictures) return false
  let left = MOST_BYTES
  let whole = 0
  let torn = 0
  for (let row = 0; row < length && left >= size[row]; row++) {
    left -= size[row]
    if (size[row] < LEAST_BYTES) continue
    const reading = pictures.read(reader.bytes(offset[row], size[row]).slice())
    if (reading === 'whole') whole++
    else if (reading !== 'unread') torn++
  }
  return whole >= ENOUGH && whole >= torn
}
