import type { ByteReader } from '../../../bytes/reader.ts'
import { Allowance } from '../../../model/allowance.ts'
import { CHUNK_HEADER, padded } from '../../../syntax/riff/chunk.ts'
import { isPicture, SOUND, usualName } from '../read/chunk-id.ts'
import { AFTER_HOLE, ChunkTable, DAMAGED, REWRITTEN } from '../read/chunk-table.ts'
import type { AviStream } from '../read/stream.ts'
import type { Gap, Walk } from '../read/walk.ts'
import { learnedChecks, type UnitCheck, type UnitState } from './unit-check.ts'

/** Of a gap only so many bytes at its end are looked through, in sizes of the largest chunk. */
const REACH = 2
/** Times that each byte of the file may be looked at for it. */
const LOOKS = 2
const SIZE_BYTES = 4

interface FoundUnit {
  readonly offset: number
  readonly size: number
  readonly stream: AviStream
}

/**
 * What a walk found, with units whose headers were torn or overwritten: those that end where a gap does, told by what is left of
 * their size or, of pictures, by how they begin, and whole.
 */
export function withUnitsInGaps(
  reader: ByteReader,
  walk: Walk,
  streams: readonly AviStream[],
  limit: number,
): Walk {
  const { chunks, gaps } = walk
  const finder = new Finder(reader, { chunks, gaps }, streams)
  const units = gaps.map((gap) => finder.unitAtEnd(gap))
  if (units.every((unit) => unit === undefined)) return walk
  const table = new ChunkTable(limit, chunks.length + gaps.length)
  const left: Gap[] = []
  let next = 0
  for (let row = 0; row < chunks.length; row++) {
    let adjoins = false
    for (; next < gaps.length && gaps[next].row === row; next++) {
      const unit = units[next]
      if (!unit) {
        left.push({ ...gaps[next], row: table.length })
        continue
      }
      const from = finder.endBefore(gaps[next], unit, table)
      const isFilled = unit.offset - from > CHUNK_HEADER
      const isHole = isFilled || finder.lacksBytes(table, from)
      if (isHole) left.push({ offset: from, end: isFilled ? unit.offset : from, row: table.length })
      const flags = REWRITTEN | (isHole ? AFTER_HOLE : 0)
      table.push(unit.offset, unit.size, finder.idOf(unit.stream), unit.stream.number, flags)
      adjoins = true
    }
    const flags = adjoins ? chunks.flags[row] & ~AFTER_HOLE : chunks.flags[row]
    table.push(chunks.offset[row], chunks.size[row], chunks.id[row], chunks.stream[row], flags)
  }
  for (; next < gaps.length; next++) left.push({ ...gaps[next], row: table.length })
  return { ...walk, chunks: table, gaps: left }
}

class Finder {
  readonly #reader: ByteReader
  readonly #chunks: ChunkTable
  readonly #streams: readonly AviStream[]
  readonly #checks: readonly UnitCheck[]
  /** By stream, what its first whole chunk is called. */
  readonly #names = new Map<number, number>()
  readonly #reach: number
  /** Bytes of units looked at: hostile gaps are full of what may be one. */
  readonly #read: Allowance

  constructor(
    reader: ByteReader,
    { chunks, gaps }: Pick<Walk, 'chunks' | 'gaps'>,
    streams: readonly AviStream[],
  ) {
    this.#reader = reader
    this.#chunks = chunks
    this.#streams = streams
    this.#checks = gaps.length > 0 ? learnedChecks(reader, chunks, streams) : []
    let largest = 0
    for (let row = 0; row < chunks.length; row++) {
      const { stream, id, flags, size } = chunks
      if (!(flags[row] & DAMAGED)) largest = Math.max(largest, size[row])
      if (!(flags[row] & (DAMAGED | REWRITTEN)) && !this.#names.has(stream[row]))
        this.#names.set(stream[row], id[row])
    }
    this.#reach = largest * REACH
    this.#read = new Allowance(LOOKS * reader.size)
  }

  unitAtEnd(gap: Gap): FoundUnit | undefined {
    if (gap.row >= this.#chunks.length) return undefined
    const torn = this.#tornBefore(gap)
    // a chunk that lacks bytes reaches by its size into what stood behind them
    const body = torn < 0 ? gap.offset : this.#chunks.offset[torn] + SIZE_BYTES
    const reach = gap.end - this.#reach
    const from = Math.max(body, reach)
    if (from >= gap.end) return undefined
    // how a picture begins tells nothing in one that is there itself
    const isOwn = torn >= 0 && this.#state(torn) !== 'none'
    return this.#bySize(from, gap.end) ?? this.#byStart(isOwn ? Math.max(gap.offset, reach) : from, gap.end)
  }

  #state(row: number): UnitState | undefined {
    const { offset, size, stream } = this.#chunks
    return this.#checks[stream[row]]?.state(offset[row], size[row], true)
  }

  /**
   * Where what lies in front of a unit ends: a torn chunk in front of it in `table` is made shorter, or gone where nothing of it
   * is left.
   */
  endBefore(gap: Gap, unit: FoundUnit, table: ChunkTable): number {
    if (this.#tornBefore(gap) < 0 || unit.offset - SIZE_BYTES >= gap.offset) return gap.offset
    const row = table.length - 1
    const size = Math.max(0, unit.offset - CHUNK_HEADER - table.offset[row])
    const check = this.#checks[table.stream[row]]
    if (size === 0 || check?.state(table.offset[row], size, true) === 'none') {
      table.length = row
      return table.offset[row] - CHUNK_HEADER
    }
    table.size[row] = size
    table.flags[row] |= REWRITTEN
    return table.offset[row] + size
  }

  /** Whether bytes were taken out of the last chunk of `table`, which ends at `end`: by its size it is longer, and not whole. */
  lacksBytes({ length, offset, size, stream, flags }: ChunkTable, end: number): boolean {
    const row = length - 1
    if (row < 0 || !(flags[row] & DAMAGED) || offset[row] + size[row] !== end) return false
    const isLonger = this.#reader.u32le(offset[row] - SIZE_BYTES) > size[row]
    return isLonger && this.#checks[stream[row]]?.state(offset[row], size[row], true) !== 'whole'
  }

  /** The name of a stream's chunks. */
  idOf({ number, description }: AviStream): number {
    return this.#names.get(number) ?? usualName(number, description.kind === 'audio')
  }

  /** The row of a chunk that reaches up to a gap, since it lacks bytes or others were put in; -1 where there is none. */
  #tornBefore({ offset, row }: Gap): number {
    const { flags, offset: offsets, size } = this.#chunks
    const isTorn = row > 0 && (flags[row - 1] & DAMAGED) !== 0
    return isTorn && padded(offsets[row - 1] + size[row - 1]) === padded(offset) ? row - 1 : -1
  }

  /** By the four bytes of a size that leads right to `until`, and what of a name is in front of them. */
  #bySize(from: number, until: number): FoundUnit | undefined {
    const reader = this.#reader
    for (let at = from; at + SIZE_BYTES < until; at++) {
      const size = reader.u32le(at)
      const left = until - at - SIZE_BYTES
      if ((size !== left && !(size === left - 1 && size & 1)) || !this.#read.take(size)) continue
      const kind = at - 2 >= from ? reader.u16(at - 2) : 0
      const letters = (kind >> 8) | ((kind & 0xff) << 8)
      const named = letters === SOUND || isPicture(letters)
      const stream = this.#streams.find(
        ({ description }, number) =>
          (named ? (letters === SOUND) === (description.kind === 'audio') : this.#checks[number].tells) &&
          this.#checks[number].state(at + SIZE_BYTES, size) === 'whole',
      )
      if (stream) return { offset: at + SIZE_BYTES, size, stream }
    }
    return undefined
  }

  /** By how pictures begin. No picture ends with a byte of zeros: that one is there to fill up. */
  #byStart(from: number, until: number): FoundUnit | undefined {
    const end = this.#reader.u8(until - 1) === 0 ? until - 1 : until
    for (const [number, stream] of this.#streams.entries()) {
      const offset =
        stream.description.kind === 'video' ? this.#checks[number].wholeFrom(from, end, this.#read) : end
      if (offset < end) return { offset, size: end - offset, stream }
    }
    return undefined
  }
}
