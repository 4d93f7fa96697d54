import type { ByteReader } from '../../../bytes/reader.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { MEDIA_HEAD, readMediaHeader } from './media-header.ts'
import { isKind, isTagHeader, isTrailed } from './tag.ts'
import { TAG_HEADER } from './tag-table.ts'

/** Bytes looked at in one piece. */
const WINDOW = 256 * 1024

/** The first tag from `from` on whose size stands on both its ends; -1 when there is none. */
export async function searchTag(reader: ByteReader, from: number, monitor: Monitor): Promise<number> {
  for (let at = from; at + TAG_HEADER <= reader.size; ) {
    await monitor.pause()
    // a copy: the look at a tag's end reads elsewhere
    const bytes = reader.bytes(at, WINDOW + TAG_HEADER).slice()
    const until = Math.max(1, bytes.length - TAG_HEADER + 1)
    for (let i = 0; i < until; i++) {
      if (!isKind(bytes[i]) || bytes[i + 8] !== 0 || bytes[i + 9] !== 0 || bytes[i + 10] !== 0) continue
      const offset = at + i
      if (isTagHeader(reader, offset) && isTrailed(reader, offset, reader.u24(offset + 1))) return offset
    }
    at += until
  }
  return -1
}

/** Whether the header of a tag of pictures or sound stands in [from, to), whatever became of its end: its like in noise is rare. */
export function mayHoldTag(reader: ByteReader, from: number, to: number): boolean {
  for (let at = from; at + TAG_HEADER <= to; ) {
    const bytes = reader.bytes(at, Math.min(WINDOW + TAG_HEADER, to - at)).slice()
    const until = bytes.length - TAG_HEADER + 1
    for (let i = 0; i < until; i++) {
      if (!isKind(bytes[i]) || bytes[i + 8] !== 0 || bytes[i + 9] !== 0 || bytes[i + 10] !== 0) continue
      const size = (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3]
      if (size === 0) continue
      const data = reader.bytes(at + i + TAG_HEADER, Math.min(MEDIA_HEAD, size))
      if (readMediaHeader(bytes[i], data).codec !== '') return true
    }
    at += until
  }
  return false
}
