import type { ByteReader } from '../../bytes/reader.ts'
import { FILE_HEADER, findInfo, isCoded, isSigned, leastOffset, plainBytes, readInfo } from './read.ts'

/** Bytes that may stand in front of a bitmap. */
const MOST = 64 * 1024

/**
 * Where a bitmap begins in a file that had bytes put in front of it: at a file header that names the place which the header
 * behind it asks for, or the size of what follows, or at a header alone with exactly as many pixels behind it as it tells of. 0
 * where the file begins with one, or none is found.
 */
export function findStart(reader: ByteReader): number {
  if (isSigned(reader) || findInfo(reader)) return 0
  const last = Math.min(MOST, reader.size - FILE_HEADER)
  for (let start = 1; start < last; start++) if (beginsAt(reader, start)) return start
  return 0
}

function beginsAt(reader: ByteReader, start: number): boolean {
  const at = start + FILE_HEADER
  // the size of the header is less than 256 in all of them
  if (reader.u8(at) === 0 || reader.u24(at + 1) !== 0) return false
  const info = readInfo(reader, at)
  if (!info) return false
  const least = FILE_HEADER + leastOffset(info)
  const signed = reader.u16(start) === 0x424d && reader.u32le(start + 6) === 0
  if (signed && (reader.u32le(start + 10) === least || reader.u32le(start + 2) === reader.size - start))
    return true
  return !isCoded(info) && start + least + plainBytes(info) === reader.size
}
