import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { CHUNK_HEADER, LIST_HEADER, padded } from '../../../syntax/riff/chunk.ts'
import { indexedStreamOf, isPicture, streamOf } from './chunk-id.ts'
import { bits, ChunkNames } from './chunk-names.ts'
import { AFTER_HOLE, ChunkTable, DAMAGED, REWRITTEN } from './chunk-table.ts'
import { HitHeaders, leadsIntoZeros } from './hit-headers.ts'
import { BLIND, type Look } from './look.ts'
import { IDX1, JUNK, LIST, MOVI, Places, REC, RIFF } from './places.ts'
import { sizeBeforeSwallowed } from './swallowed.ts'

/** A stretch in which no header is. */
export interface Gap {
  readonly offset: number
  readonly end: number
  /** Row of the chunk behind it; as many as there are rows at the end. */
  readonly row: number
}

/** What one walk over a file's data finds. */
export interface Walk {
  readonly chunks: ChunkTable
  readonly gaps: readonly Gap[]
  /** Index chunks: `idx1`, and `ix##` with its stream; together no longer than `INDEX_PASSES` times the file. */
  readonly indexes: readonly { readonly offset: number; readonly end: number; readonly stream: number }[]
  /** Offset of the first `movi`, -1 without one. */
  readonly movi: number
  /** Whether every list and file size holds what it should. */
  readonly sizes: boolean
  /**
   * Bytes that were taken out of the data, less than 0 where some were put in, as its list's size tells; undefined where the data
   * does not reach its end, or nothing tells.
   */
  readonly taken: number | undefined
  /** Where the data ends by its last list, as the file is now; -1 where nothing tells. */
  readonly told: number
}

/** Flipped bits of a size that are put right where its chunk reaches up to a header found. */
const FLIPPED = 2
/**
 * Lists of data and of files that are kept: recorders begin one each gigabyte. Where there are more, their sizes are not what
 * they should be.
 */
const MOST_LISTS = 4096
/** How often the indexes together may go through the file: one whose size was hit goes to its end. Further ones are left out. */
const INDEX_PASSES = 2
/** Bytes of a chunk, on average, that hardly any file is below, and the most chunks that there is room for at once. */
const USUAL_CHUNK = 2048
const MOST_EXPECTED = 1 << 20
/** Chunks between two pauses. */
const STEPS = 4096

/**
 * Walks over all chunks from `from` on, by their sizes where these lead from header to header, and by a search for the next
 * header where they do not. Each byte is looked at once, and those of a whole chunk given to `look`.
 */
export async function walk(
  reader: ByteReader,
  from: number,
  streams: readonly string[] | undefined,
  limits: Limits,
  monitor: Monitor,
  look: Look = BLIND,
): Promise<Walk> {
  const walker = new Walker(reader, from, streams, limits, look)
  while (walker.step()) {
    monitor.progress('survey', Math.min(1, walker.at / Math.max(1, reader.size)))
    await monitor.pause()
  }
  return walker
}

/** Where a list's data begins, and where it claims to end. */
interface List {
  readonly body: number
  readonly end: number
}

class Walker implements Walk {
  readonly chunks: ChunkTable
  readonly gaps: Gap[] = []
  readonly indexes: { offset: number; end: number; stream: number }[] = []
  movi = -1
  sizes = true
  taken: number | undefined
  told = -1
  at: number
  readonly #reader: ByteReader
  readonly #places: Places
  /** The first lists, and the last of data and of a file. */
  readonly #lists: List[] = []
  /** Bytes that further indexes may take. */
  readonly #indexed: Allowance
  #lastData: List | undefined
  #lastFile: List | undefined
  /** Where the last chunk of data ends, or of an index among them. */
  #dataEnd = 0
  /** Where the last bytes to fill up end, or a list's header that chunks may follow, behind the data or among it. */
  #fillingEnd = 0
  readonly #names: ChunkNames
  readonly #hit: HitHeaders
  readonly #look: Look
  #hole = false

  constructor(
    reader: ByteReader,
    from: number,
    streams: readonly string[] | undefined,
    limits: Limits,
    look: Look,
  ) {
    this.#reader = reader
    this.#look = look
    this.#indexed = new Allowance(reader.size * INDEX_PASSES)
    this.at = from
    this.#places = new Places(reader, streams)
    this.chunks = new ChunkTable(
      limits.samplesPerTrack,
      Math.min(MOST_EXPECTED, Math.ceil(reader.size / USUAL_CHUNK)),
    )
    this.#names = new ChunkNames(streams ?? [])
    this.#hit = new HitHeaders(reader, this.#places, this.#names)
  }

  /** Takes some chunks; false at the end of the file. */
  step(): boolean {
    const { size } = this.#reader
    for (let count = 0; count < STEPS; count++) {
      if (this.at + CHUNK_HEADER > size) {
        if (this.at < size) this.#gap(this.at, size)
        this.#checkSizes(size)
        this.#compareEnds(size)
        return false
      }
      const place = this.#places.at(this.at)
      if (place === 'data') this.#data()
      else if (place === 'structure') this.#structure()
      else this.#unknown()
    }
    return true
  }

  #data(): void {
    const reader = this.#reader
    const at = this.at
    const id = reader.u32le(at)
    const size = reader.u32le(at + 4)
    const body = at + CHUNK_HEADER
    const isUsual = this.#names.usualSize(id) === size
    if (this.#look.reads(streamOf(id))) reader.fetch(body, size + CHUNK_HEADER)
    const next = this.#places.behind(body + size)
    if (next >= 0) {
      const meant = isUsual
        ? -1
        : sizeBeforeSwallowed(reader, this.#places, body, size, Math.min(next, reader.size))
      if (meant < 0) this.#push(body, size, id, 0)
      else this.#push(body, meant, id, REWRITTEN)
      this.at = meant < 0 ? next : padded(body + meant)
      return
    }
    if (this.#hitHeader()) return
    const found = this.#search(body)
    // no picture ends with a byte of zeros, so that one is there to fill up
    const isFilled = isPicture(id >>> 16) && reader.u8(found - 1) === 0
    const most = leadsIntoZeros(reader, body, size) ? 1 : FLIPPED
    const told = isUsual ? -1 : flippedSize(size, found - body, isFilled, most)
    if (told >= 0 && found < reader.size) this.#push(body, told, id, REWRITTEN)
    else if (body + size > found) {
      // bytes are missing inside, or the file ends here
      this.#push(body, found - body, id, DAMAGED | REWRITTEN)
      this.#gap(found, found)
    } else {
      this.#push(body, size, id, DAMAGED)
      this.#gap(body + size, found)
    }
    this.at = found
  }

  /** Takes a chunk whose header was hit, or that of the one behind it; false where it does not lead to another one. */
  #hitHeader(): boolean {
    const meant = this.#hit.read(this.at)
    if (!meant) return false
    const { id, size } = meant
    const reader = this.#reader
    const isHit = reader.u32le(this.at) !== id || reader.u32le(this.at + 4) !== size
    const body = this.at + CHUNK_HEADER
    this.#push(body, size, id, isHit ? REWRITTEN : 0)
    const next = this.#places.behind(body + size)
    this.at = next < 0 ? padded(body + size) : next
    return true
  }

  /** The first place from `from` on where a header begins that others follow, hit or not, or the end of the file. */
  #search(from: number): number {
    const isHeader = (at: number): boolean => this.#hit.read(at) !== undefined
    return this.#places.search(from, this.#reader.size, isHeader)
  }

  #structure(): void {
    const reader = this.#reader
    const at = this.at
    const id = reader.u32le(at)
    const end = at + CHUNK_HEADER + reader.u32le(at + 4)
    const type = reader.u32le(at + 8)
    if (id === RIFF) {
      this.#lastFile = this.#begin(at, end)
      this.at += LIST_HEADER
      return
    }
    if (id === LIST && (type === MOVI || type === REC)) {
      if (type === MOVI && this.movi < 0) this.movi = at + 8
      if (type === MOVI) {
        this.#lastData = this.#begin(at, end)
        this.#hit.dataEnd = end
      }
      if (type === REC) this.#fillingEnd = at + LIST_HEADER
      this.at += LIST_HEADER
      return
    }
    const next = end <= reader.size ? this.#places.behind(end) : -1
    const indexed = id === IDX1 ? -1 : indexedStreamOf(id)
    if (indexed >= 0) this.#dataEnd = padded(end)
    if (id === JUNK && next >= 0) this.#fillingEnd = padded(end)
    const isIndex = id === IDX1 || indexed >= 0
    if (isIndex && this.#indexed.take(Math.min(end, reader.size) - at))
      this.indexes.push({ offset: at + CHUNK_HEADER, end: Math.min(end, reader.size), stream: indexed })
    if (next >= 0) {
      this.at = next
      return
    }
    // its size is wrong, or what follows it is: an index that is cut off is still read
    const found = this.#search(at + CHUNK_HEADER)
    if (end < found) this.#gap(padded(end), found)
    this.at = found
  }

  #unknown(): void {
    if (this.#hitHeader()) return
    const found = this.#search(this.at + 1)
    this.#gap(this.at, found)
    this.at = found
  }

  #push(body: number, size: number, id: number, flags: number): void {
    const stream = streamOf(id)
    if ((flags & (DAMAGED | REWRITTEN)) === 0) {
      this.#names.see(id, size)
      flags |= this.#look.flags(stream, body, size)
    }
    if (this.#hole) flags |= AFTER_HOLE
    this.chunks.push(body, size, id, stream, flags)
    this.#dataEnd = padded(body + size)
    this.#hole = false
  }

  #gap(offset: number, end: number): void {
    this.gaps.push({ offset: Math.min(offset, end), end, row: this.chunks.length })
    this.#hole = true
  }

  /**
   * Data and file end as far from where their lists say, or the data where it says: else the end is cut off, or was hit. Bytes
   * that fill up behind the last chunk, and a list of none, are among the data where that makes it so.
   */
  #compareEnds(size: number): void {
    const data = this.#lastData
    const file = this.#lastFile
    if (!data || !file || data.end <= data.body || data.end > file.end) return
    const ends = [this.#dataEnd, this.#fillingEnd].filter((end) => end >= this.#dataEnd)
    const isAlike = (end: number): boolean => {
      const apart = data.end - end
      const asFile = Math.abs(file.end - size - apart) <= 1 && data.end + CHUNK_HEADER < file.end
      return asFile || Math.abs(apart) <= 1
    }
    const end = ends.find(isAlike)
    if (end !== undefined) {
      this.taken = data.end - end
      this.#endWhole(end)
    }
    // an index at the end of the data was hit: nothing is missing where the file ends where it says
    else if (
      Math.abs(file.end - size) <= 1 &&
      data.end > this.#dataEnd &&
      isZero(this.#reader, this.#dataEnd, data.end)
    )
      this.taken = 0
    if (this.taken !== undefined) this.told = data.end - this.taken
  }

  /** The last chunk of data is whole where it ends with the data, whatever was hit behind it. */
  #endWhole(end: number): void {
    const last = this.chunks.length - 1
    if (last < 0 || this.chunks.flags[last] & REWRITTEN) return
    if (padded(this.chunks.offset[last] + this.chunks.size[last]) === end) this.chunks.flags[last] &= ~DAMAGED
  }

  /** Lists hold something and end in front of other structure, or with the file. */
  #checkSizes(size: number): void {
    this.sizes =
      this.#lists.length < MOST_LISTS &&
      this.#lists.every(
        ({ body, end }) =>
          end > body && (end <= size || padded(size) === end) && this.#places.behind(end) >= 0,
      )
  }

  #begin(at: number, end: number): List {
    const list = { body: at + LIST_HEADER, end }
    if (this.#lists.length < MOST_LISTS) this.#lists.push(list)
    return list
  }
}

/** The size that a header meant whose chunk takes `length` bytes up to the next one; -1 where more than `most` bits differ. */
function flippedSize(size: number, length: number, isFilled: boolean, most: number): number {
  const [best] = (isFilled ? [length - 1, length] : [length, length - 1])
    .filter((meant) => meant > 0 && bits(meant ^ size) <= most && padded(meant) <= padded(length))
    .sort((a, b) => bits(a ^ size) - bits(b ^ size))
  return best ?? -1
}
