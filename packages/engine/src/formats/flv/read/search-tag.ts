import type { ByteReader } from '../../../bytes/reader.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import type { Monitor } from '../../../model/monitor.ts'
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
