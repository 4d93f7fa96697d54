import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { CHUNK_HEADER, LIST_HEADER, padded } from '../../../syntax/riff/chunk.ts'
import { idOf, indexedStreamOf, isPicture, streamOf } from './chunk-id.ts'
import { AFTER_HOLE, ChunkTable, DAMAGED, REWRITTEN } from './chunk-table.ts'
import { IDX1, LIST, MOVI, Places, REC, RIFF } from './places.ts'
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
  /** Index chunks: `idx1`, and `ix##` with its stream. */
  readonly indexes: readonly { readonly offset: number; readonly end: number; readonly stream: number }[]
  /** Offset of the first `movi`, -1 without one. */
  readonly movi: number
  /** Whether every list and file size holds what it should. */
  readonly sizes: boolean
  /**
   * Bytes that were taken out of the data, less than 0 where some were put in, as its list's size tells; undefined where the data does not
   * reach its end, or nothing tells.
   */
  readonly taken: number | undefined
}

/** What eight bytes in front of a chunk say. */
interface Header {
  readonly id: number
  readonly size: number
}

/** Flipped bits of a name or a size that are put right. */
const FLIPPED = 2
/** Chunks between two pauses. */
const STEPS = 4096
const LARGEST = 64 * 1024 * 1024
/** Chunks of one size in a row from which it is the usual one. */
const ALIKE = 4

/**
 * Walks over all chunks from `from` on, by their sizes where these lead from header to header, and by a search for the next header where
 * they do not. Each byte is looked at once.
 */
export async function walk(
  reader: ByteReader,
  from: number,
  streams: readonly string[] | undefined,
  limits: Limits,
  monitor: Monitor,
): Promise<Walk> {
  const walker = new Walker(reader, from, streams, limits)
  while (walker.step()) {
    monitor.progress('survey', Math.min(1, walker.at / Math.max(1, reader.size)))
    await monitor.pause()
  }
  return walker
}

class Walker implements Walk {
  readonly chunks: ChunkTable
  readonly gaps: Gap[] = []
  readonly indexes: { offset: number; end: number; stream: number }[] = []
  movi = -1
  sizes = true
  taken: number | undefined
  at: number
  readonly #reader: ByteReader
  readonly #places: Places
  /** Ends that lists claim. */
  readonly #lists: { readonly body: number; readonly end: number; readonly data: boolean }[] = []
  /** Where the last chunk of data ends, or of an index among them. */
  #dataEnd = 0
  readonly #seen = new Set<number>()
  /** What the chunks of each stream are usually called. */
  readonly #usual: readonly number[]
  #hole = false
  /** By name, the size of the last chunk, and how many had it one after another. */
  readonly #sizes = new Map<number, { readonly size: number; count: number }>()

  constructor(reader: ByteReader, from: number, streams: readonly string[] | undefined, limits: Limits) {
    this.#reader = reader
    this.at = from
    this.#places = new Places(reader, streams)
    this.chunks = new ChunkTable(limits.samplesPerTrack)
    this.#usual = (streams ?? []).map((type, number) =>
      idOf(String(number).padStart(2, '0') + (type === 'auds' ? 'wb' : 'dc')),
    )
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
    let next = this.#places.behind(body + size)
    if (next < 0 && this.#hitHeader(padded(body + size)) !== undefined) next = padded(body + size)
    if (next >= 0) {
      const meant = this.#isUsual(id, size)
        ? -1
        : sizeBeforeSwallowed(reader, this.#places, body, size, Math.min(next, reader.size))
      if (meant < 0) this.#push(body, size, id, 0)
      else this.#push(body, meant, id, REWRITTEN)
      this.at = meant < 0 ? next : padded(body + meant)
      return
    }
    const found = this.#places.search(body, reader.size)
    // no picture ends with a byte of zeros, so that one is there to fill up
    const isFilled = isPicture(id >>> 16) && reader.u8(found - 1) === 0
    const told = this.#isUsual(id, size) ? -1 : flippedSize(size, found - body, isFilled)
    if (told >= 0 && found < reader.size) {
      this.#push(body, told, id, REWRITTEN)
    } else if (this.#twoHit(body, size, id, found)) {
      return
    } else if (body + size > found) {
      // bytes are missing inside, or the file ends here
      this.#push(body, found - body, id, DAMAGED | REWRITTEN)
      this.#gap(found, found)
    } else {
      this.#push(body, size, id, DAMAGED)
      this.#gap(body + size, found)
    }
    this.at = found
  }

  /** A chunk whose size has a flipped bit, with a hit header behind it. */
  #twoHit(body: number, size: number, id: number, until: number): boolean {
    for (const meant of oneBitOff(size)) {
      if (padded(body + meant) >= until || this.#hitHeader(padded(body + meant)) === undefined) continue
      this.#push(body, meant, id, REWRITTEN)
      this.at = padded(body + meant)
      return true
    }
    return false
  }

  #structure(): void {
    const reader = this.#reader
    const at = this.at
    const id = reader.u32le(at)
    const end = at + CHUNK_HEADER + reader.u32le(at + 4)
    const type = reader.u32le(at + 8)
    if (id === RIFF) {
      this.#lists.push({ body: at + LIST_HEADER, end, data: false })
      this.at += LIST_HEADER
      return
    }
    if (id === LIST && (type === MOVI || type === REC)) {
      if (type === MOVI && this.movi < 0) this.movi = at + 8
      if (type === MOVI) this.#lists.push({ body: at + LIST_HEADER, end, data: true })
      this.at += LIST_HEADER
      return
    }
    const next = end <= reader.size ? this.#places.behind(end) : -1
    const indexed = id === IDX1 ? -1 : indexedStreamOf(id)
    if (indexed >= 0) this.#dataEnd = padded(end)
    if (id === IDX1 || indexed >= 0)
      this.indexes.push({ offset: at + CHUNK_HEADER, end: Math.min(end, reader.size), stream: indexed })
    if (next >= 0) {
      this.at = next
      return
    }
    // its size is wrong, or what follows it is: an index that is cut off is still read
    const found = this.#places.search(at + CHUNK_HEADER, reader.size)
    if (end < found) this.#gap(padded(end), found)
    this.at = found
  }

  #unknown(): void {
    const reader = this.#reader
    const at = this.at
    const meant = this.#hitHeader(at)
    if (meant) {
      const { id, size } = meant
      const body = at + CHUNK_HEADER
      this.#push(body, size, id, REWRITTEN)
      const next = this.#places.behind(body + size)
      this.at = next < 0 ? padded(body + size) : next
      return
    }
    const found = this.#places.search(at + 1, reader.size)
    this.#gap(at, found)
    this.at = found
  }

  /** What a header meant whose name was hit, and perhaps its size; undefined where nothing of it leads on to the next one. */
  #hitHeader(at: number): Header | undefined {
    const reader = this.#reader
    if (at + CHUNK_HEADER > reader.size) return undefined
    const id = this.#nearest(reader.u32le(at))
    if (id === undefined) return undefined
    const size = reader.u32le(at + 4)
    const body = at + CHUNK_HEADER
    const isLeading = (meant: number): boolean =>
      meant <= LARGEST && body + meant < reader.size && this.#places.behind(body + meant) >= 0
    const isAlone = size <= LARGEST && body + size < reader.size
    if (isAlone && (isLeading(size) || this.#nearest(reader.u32le(padded(body + size))) !== undefined))
      return { id, size }
    const meant = oneBitOff(size).filter(isLeading)
    return meant.length > 0 ? { id, size: Math.min(...meant) } : undefined
  }

  /** Whether the last chunks of a name all had this size, which then is none that a flipped bit made. */
  #isUsual(id: number, size: number): boolean {
    const known = this.#sizes.get(id)
    return known?.size === size && known.count >= ALIKE
  }

  #push(body: number, size: number, id: number, flags: number): void {
    if ((flags & (DAMAGED | REWRITTEN)) === 0) {
      const known = this.#sizes.get(id)
      if (known?.size === size) known.count++
      else if (known || this.#sizes.size < 64) this.#sizes.set(id, { size, count: 1 })
    }
    this.chunks.push(body, size, id, streamOf(id), flags | (this.#hole ? AFTER_HOLE : 0))
    this.#dataEnd = padded(body + size)
    this.#hole = false
    if (this.#seen.size < 64) this.#seen.add(id)
  }

  #gap(offset: number, end: number): void {
    this.gaps.push({ offset: Math.min(offset, end), end, row: this.chunks.length })
    this.#hole = true
  }

  /** The only name of a stream's data that differs by few bits, of those seen so far, or usual ones of streams not seen yet. */
  #nearest(id: number): number | undefined {
    const near = [...this.#seen, ...this.#unseen()].filter((known) => bits(known ^ id) <= FLIPPED)
    return near.length === 1 ? near[0] : undefined
  }

  #unseen(): number[] {
    const seen = new Set([...this.#seen].map(streamOf))
    return this.#usual.filter((id) => !seen.has(streamOf(id)))
  }

  /** Data and file end as far from where their lists say, or the data where it says: else the end is cut off, or was hit. */
  #compareEnds(size: number): void {
    const data = this.#lists.findLast((list) => list.data)
    const file = this.#lists.findLast((list) => !list.data)
    if (!data || !file || data.end <= data.body || data.end > file.end) return
    const apart = data.end - this.#dataEnd
    const alike = Math.abs(file.end - size - apart) <= 1 && data.end + CHUNK_HEADER < file.end
    if (alike || Math.abs(apart) <= 1) this.taken = apart
    // an index at the end of the data was hit: nothing is missing where the file ends where it says
    else if (Math.abs(file.end - size) <= 1 && apart > 0 && isZero(this.#reader, this.#dataEnd, data.end))
      this.taken = 0
  }

  /** Lists hold something and end in front of other structure, or with the file. */
  #checkSizes(size: number): void {
    this.sizes = this.#lists.every(
      ({ body, end }) => end > body && (end <= size || padded(size) === end) && this.#places.behind(end) >= 0,
    )
  }
}

/** All sizes that differ from one by a bit. */
function oneBitOff(size: number): number[] {
  const sizes: number[] = []
  for (let bit = 1; bit < LARGEST; bit *= 2) sizes.push((size ^ bit) >>> 0)
  return sizes
}

/** The size that a header meant whose chunk takes `length` bytes up to the next one; -1 where more than few bits differ. */
function flippedSize(size: number, length: number, isFilled: boolean): number {
  const [best] = (isFilled ? [length - 1, length] : [length, length - 1])
    .filter((meant) => meant > 0 && bits(meant ^ size) <= FLIPPED && padded(meant) <= padded(length))
    .sort((a, b) => bits(a ^ size) - bits(b ^ size))
  return best ?? -1
}

function bits(value: number): number {
  let count = 0
  for (let left = value >>> 0; left !== 0; left &= left - 1) count++
  return count
}
