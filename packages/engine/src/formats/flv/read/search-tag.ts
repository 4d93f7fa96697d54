import type { ByteReader } from '../../../bytes/reader.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { MEDIA_HEAD, readMediaHeader } from './media-header.ts'
import { isKind, isTagHeader, isTrailed } from './tag.ts'
import { TAG_HEADER } from './tag-table.ts'

/** The first tag from `from` on whose size stands on both its ends; -1 when there is none. */
export async function searchTag(reader: ByteReader, from: number, monitor: Monitor): Promise<number> {
  for (const { at, bytes, length } of searchPieces(reader, from, reader.size - TAG_HEADER + 1, TAG_HEADER)) {
    await monitor.pause()
    for (let i = 0; i < length; i++) {
      if (!isKind(bytes[i]) || bytes[i + 8] !== 0 || bytes[i + 9] !== 0 || bytes[i + 10] !== 0) continue
      const offset = at + i
      if (isTagHeader(reader, offset) && isTrailed(reader, offset, reader.u24(offset + 1))) return offset
    }
  }
  return -1
}

/** Whether the header of a tag of pictures or sound stands in [from, to), whatever became of its end: its like in noise is rare. */
export function mayHoldTag(reader: ByteReader, from: number, to: number): boolean {
  for (const { at, bytes, length } of searchPieces(reader, from, to - TAG_HEADER + 1, TAG_HEADER)) {
    for (let i = 0; i < length; i++) {
      if (!isKind(bytes[i]) || bytes[i + 8] !== 0 || bytes[i + 9] !== 0 || bytes[i + 10] !== 0) continue
      const size = (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3]
      if (size === 0) continue
      const data = reader.bytes(at + i + TAG_HEADER, Math.min(MEDIA_HEAD, size))
      if (readMediaHeader(bytes[i], data).codec !== '') return true
    }
  }
  return false
}
