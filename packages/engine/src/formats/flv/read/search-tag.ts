import type { ByteReader } from '../../../bytes/reader.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { MEDIA_HEAD, readMediaHeader } from './media-header.ts'
import { isFollowed, isKind, isTagHeader, isTrailed } from './tag.ts'
import { TAG_HEADER, TRAILER } from './tag-table.ts'

/**
 * The first tag from `from` on whose size stands on both its ends, or that is of a known codec and has two more behind it: some
 * writers put other sizes, or zeros, behind all tags. -1 when there is none.
 */
export async function searchTag(reader: ByteReader, from: number, monitor: Monitor): Promise<number> {
  for (const { at, bytes, length } of searchPieces(reader, from, reader.size - TAG_HEADER + 1, TAG_HEADER)) {
    await monitor.pause()
    for (let i = 0; i < length; i++) {
      if (!isKind(bytes[i]) || bytes[i + 8] !== 0 || bytes[i + 9] !== 0 || bytes[i + 10] !== 0) continue
      const offset = at + i
      if (!isTagHeader(reader, offset)) continue
      const size = reader.u24(offset + 1)
      if (isTrailed(reader, offset, size)) return offset
      if (isKnown(reader, offset, size) && isFollowed(reader, offset + TAG_HEADER + size + TRAILER))
        return offset
    }
  }
  return -1
}

/**
 * Whether the header of a tag of pictures or sound stands in [from, to), whatever became of its end: its like in noise is rare.
 */
export function mayHoldTag(reader: ByteReader, from: number, to: number): boolean {
  for (const { at, bytes, length } of searchPieces(reader, from, to - TAG_HEADER + 1, TAG_HEADER)) {
    for (let i = 0; i < length; i++) {
      if (!isKind(bytes[i]) || bytes[i + 8] !== 0 || bytes[i + 9] !== 0 || bytes[i + 10] !== 0) continue
      const size = (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3]
      if (isKnown(reader, at + i, size)) return true
    }
  }
  return false
}

/** Whether what begins in a tag at `offset` are pictures or sound of a known codec. */
function isKnown(reader: ByteReader, offset: number, size: number): boolean {
  const data = reader.bytes(offset + TAG_HEADER, Math.min(MEDIA_HEAD, size))
  return size > 0 && readMediaHeader(reader.u8(offset), data).codec !== ''
}
