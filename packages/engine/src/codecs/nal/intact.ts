import type { ByteReader } from '../../bytes/reader.ts'
import type { NalCursor } from './cursor.ts'
import { forbiddenSequence } from './start-code.ts'

/** Zero bytes at a NAL unit's end that may be padding. */
const MAX_PADDING = 64

/**
 * Reads all bytes of a unit: NAL units that fill it exactly, without a sequence that none holds and without a run of zeros at
 * their end.
 */
export function isIntact(reader: ByteReader, cursor: NalCursor, offset: number, length: number): boolean {
  const end = offset + length
  let position = offset
  while (position < end) {
    if (!cursor.read(reader, position, end, length)) return false
    position = cursor.next
    let stop = cursor.start + cursor.length
    const padded = Math.max(cursor.start, stop - MAX_PADDING)
    while (stop > padded && reader.u8(stop - 1) === 0) stop--
    if (stop === padded || forbiddenSequence(reader, cursor.start, stop) < stop) return false
  }
  return true
}
