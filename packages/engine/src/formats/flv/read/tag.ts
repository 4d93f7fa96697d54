import type { ByteReader } from '../../../bytes/reader.ts'
import { AUDIO, SCRIPT, TAG_HEADER, TRAILER, VIDEO } from './tag-table.ts'

/** Encrypted tags have this bit in their type, Annex E.4.1. */
export const FILTER = 0x20
const STREAM_ID = 8

export function isKind(kind: number): boolean {
  return kind === AUDIO || kind === VIDEO || kind === SCRIPT
}

/** Whether a tag's header may stand at `at`: a known type, encrypted or not, and a stream number of zero. */
export function isTagHeader(reader: ByteReader, at: number): boolean {
  if (at + TAG_HEADER > reader.size) return false
  return isKind(reader.u8(at) & ~FILTER) && reader.u24(at + STREAM_ID) === 0
}

/** Whether the size behind a tag repeats that of its header. */
export function isTrailed(reader: ByteReader, at: number, size: number): boolean {
  const trailer = at + TAG_HEADER + size
  return trailer + TRAILER <= reader.size && reader.u32(trailer) === size + TAG_HEADER
}

/**
 * Whether two more tags stand from `next` on, where one ends whose size behind it is wrong: the second of them where the first
 * ends.
 */
export function isFollowed(reader: ByteReader, next: number): boolean {
  if (!isTagHeader(reader, next)) return false
  const size = reader.u24(next + 1)
  const second = next + TAG_HEADER + size + TRAILER
  return isTrailed(reader, next, size) || isTagHeader(reader, second) || second === reader.size
}

/** A tag's time in milliseconds: the upper eight bits stand behind the lower ones. */
export function timeOf(reader: ByteReader, at: number): number {
  return reader.u24(at + 4) + reader.u8(at + 7) * 0x1_00_00_00
}
