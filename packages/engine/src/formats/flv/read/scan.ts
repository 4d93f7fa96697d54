import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { tornTag } from './hole.ts'
import { delayIn, MEDIA_HEAD, readMediaHeader } from './media-header.ts'
import { mendedHeader } from './mended-header.ts'
import { mayHoldTag, searchTag } from './search-tag.ts'
import { FILTER, isFollowed, isTagHeader, isTrailed, timeOf } from './tag.ts'
import { AFTER_HOLE, NEW_TRAILER, TAG_HEADER, TagTable, TRAILER } from './tag-table.ts'

/** Bytes of a usual file header with the size of the tag before the first, which is none. Annex E.2. */
export const FILE_HEADER = 9
export const FILE_START = FILE_HEADER + TRAILER
/** Data offsets beyond this are damage: every muxer writes 9. */
const LONGEST_HEADER = 1024
/** Tags between two breaks for others. */
const TAGS_A_TURN = 4096

/** A stretch in which no tag stands. */
export interface Hole extends Region {
  /** The tag behind it; the table's length at the end of the file. */
  readonly row: number
  /** Bytes of it that neither zeros nor the rest of hit tags account for, where another tag may begin in them. */
  readonly unexplained: number
  /** It begins with a tag that breaks off, or is cut, within the hole. */
  readonly torn: boolean
  /** Bytes of data of the tag whose end it holds, by the size behind that; 0 where there is none. */
  readonly tail: number
}

/** What a file's bytes hold. */
export interface Scan {
  readonly table: TagTable
  readonly holes: readonly Hole[]
  /** The file header is there and as it has to be. */
  readonly head: boolean
  /** Flags of the file header: 4 sound, 1 pictures. */
  readonly headFlags: number
  /** Rows at which a further recording begins: a file header stood before them. */
  readonly restarts: readonly number[]
  /** Tags whose trailing size was wrong, and tags whose header was put right. */
  readonly wrongTrailers: number
  readonly mendedHeaders: number
  /** Tags that are encrypted. */
  readonly encrypted: number
  /** The last tag breaks off with the file. */
  readonly cut: boolean
}

/** Walks the tags from end to end; where none stands, looks for the next one and, from there, back. */
export async function scan(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Scan> {
  const table = new TagTable(limits.samplesPerTrack, reader.size)
  const holes: Hole[] = []
  const restarts: number[] = []
  const start = headEnd(reader)
  let wrongTrailers = 0
  let mendedHeaders = 0
  let encrypted = 0
  let cut = false
  let turn = 0
  let flags = 0
  let at = start ?? 0
  const add = (offset: number, size: number, more: number, kind = reader.u8(offset) & 31): void => {
    const data = reader.bytes(offset + TAG_HEADER, Math.min(MEDIA_HEAD, size))
    const media = readMediaHeader(kind, data)
    const delay = delayIn(kind, media.codec, data)
    if (reader.u8(offset) & FILTER) encrypted++
    table.push(offset, size, timeOf(reader, offset), kind, media.codec, media.flags | more | flags, delay)
    flags = 0
  }
  while (at < reader.size) {
    if (++turn % TAGS_A_TURN === 0) {
      monitor.progress('survey', at / reader.size)
      await monitor.pause()
    }
    if (isTagHeader(reader, at)) {
      const size = reader.u24(at + 1)
      const next = at + TAG_HEADER + size + TRAILER
      if (isTrailed(reader, at, size)) {
        add(at, size, 0)
        at = next
        continue
      }
      const last = next === reader.size || next - TRAILER === reader.size
      // where most sizes are wrong, nothing is to be had from the next one either
      const isUsual = wrongTrailers > table.length / 2 && isTagHeader(reader, next)
      if (last || isUsual || isFollowed(reader, next)) {
        add(at, size, NEW_TRAILER)
        wrongTrailers++
        at = next
        continue
      }
    }
    if (at > 0 && isFileHeader(reader, at) && isTagHeader(reader, at + FILE_START)) {
      restarts.push(table.length)
      at += FILE_START
      continue
    }
    const found = await searchTag(reader, at + 1, monitor)
    const end = found < 0 ? reader.size : found
    const mended = found < 0 ? [] : mendedHeader(reader, at, end, table)
    const until = mended[0]?.offset ?? end
    if (until > at) {
      const torn = tornTag(reader, at, until, found < 0 && mended.length === 0)
      cut ||= found < 0 && torn.declared > 0 && torn.isLast
      holes.push(holeOf(reader, at, until, torn, table.length + (torn.kept ? 1 : 0), found >= 0))
      if (torn.kept) add(at, torn.size, torn.flags)
      flags = AFTER_HOLE
    }
    for (const { offset, size, kind, flags: changes } of mended) {
      add(offset, size, changes, kind)
      mendedHeaders++
    }
    at = end
  }
  return {
    table,
    holes,
    head: start !== undefined,
    headFlags: start === undefined ? 0 : reader.u8(4),
    restarts,
    wrongTrailers,
    mendedHeaders,
    encrypted,
    cut,
  }
}

/** Where the first tag stands by the file header; undefined when that is damaged. */
function headEnd(reader: ByteReader): number | undefined {
  if (!isFileHeader(reader, 0)) return undefined
  const offset = reader.u32(5)
  return offset >= FILE_HEADER && offset <= LONGEST_HEADER ? offset + TRAILER : undefined
}

function isFileHeader(reader: ByteReader, at: number): boolean {
  return reader.u24(at) === 0x464c56 && reader.u8(at + 3) === 1 && (reader.u8(at + 4) & 0xfa) === 0
}

function holeOf(
  reader: ByteReader,
  from: number,
  to: number,
  torn: ReturnType<typeof tornTag>,
  row: number,
  followed: boolean,
): Hole {
  const rest = followed ? reader.u32(to - TRAILER) : 0
  // both ends of one tag: what is missing or too many between them is all that befell it
  const oneTag = torn.declared > 0 && rest === torn.declared + TAG_HEADER
  const middle = torn.declared > 0 ? Math.min(to, from + TAG_HEADER + torn.declared) : from
  const isSize = rest > TAG_HEADER && rest <= 0xffffff + TAG_HEADER
  const tail = isSize ? Math.max(from, to - TRAILER - rest) : to
  const isExplained = oneTag || middle >= tail || !mayHoldTag(reader, middle, tail)
  const unexplained = isExplained ? 0 : tail - middle
  return {
    offset: from,
    length: to - from,
    row,
    unexplained,
    torn: torn.declared > 0,
    tail: isSize && !oneTag ? rest - TAG_HEADER : 0,
  }
}
