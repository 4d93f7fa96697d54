import { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { padded } from '../../../syntax/riff/chunk.ts'
import { SOUND } from '../read/chunk-id.ts'
import { AFTER_HOLE, ChunkTable, DAMAGED, LOST, NAMED, NO_TIME, REWRITTEN } from '../read/chunk-table.ts'

/** Found chunks and those that only the index names, in one row. */
export interface Matched {
  readonly chunks: ChunkTable
  /** Chunks that index and walk agree on. */
  readonly agreed: number
  /** Of those, how many have another size or stream by the index than by headers that were not hit. */
  readonly differing: number
  /** Of those found, how many the index does not name. */
  readonly unnamed: number
  /** Of those named, how many were not found where the walk went. */
  readonly missing: number
  /** Entries behind the last chunk found. */
  readonly behind: number
  /** Chunks behind some hole agree as well with other entries as with those that they were taken for. */
  readonly isOpen: boolean
}

/** Chunks in a row whose sizes and names agree before another distance to the index is believed. */
const AGREEING = 3
/** Chunks behind foreign ones that are looked at. */
const NEAR = 32
/** Chunks in a row that are compared at the most, where entries elsewhere agree as well. */
const COMPARED = 512
/** Entries looked through for a new distance. */
const SEARCHED = 4096
/** Comparisons for all new distances: some for each chunk and entry, and those of so many searches without success. */
const COMPARISONS_EACH = 16
const SEARCHES = 32
const STEPS = 8192
const TORN = DAMAGED | REWRITTEN
/** Bytes above which a size is no chunk's. */
const LARGEST = 64 * 1024 * 1024

/**
 * Lays the index beside the chunks found. Where bytes were put in or taken out, the distance between both changes. Chunks that
 * only the index names come between those found, as `LOST`, with the place where they should be. Without an index `found` itself
 * is what there is.
 */
export async function matchIndex(
  found: ChunkTable,
  index: ChunkTable,
  limit: number,
  monitor: Monitor,
): Promise<Matched> {
  if (index.length === 0) return withoutIndex(found)
  const chunks = new ChunkTable(limit, found.length + index.length)
  const again = new Again(found, index)
  let shift = 0
  let agreed = 0
  let differing = 0
  let opened = false
  let unnamed = 0
  let missing = 0
  let next = 0
  /** Where the last chunk taken begins. */
  let last = 0
  /** Takes the entries before `entry` for chunks that were lost in a hole from `from` to `until`, where they fit into it. */
  const skipTo = (entry: number, from: number, until: number, hole: boolean): void => {
    for (; next < entry; next++) {
      if (index.flags[next] & NO_TIME && index.size[next] === 0) continue
      missing++
      const place = index.offset[next] + shift
      const size = index.size[next]
      // in front of the first chunk found, what was cut away with the start is named, too
      if (!hole || (place < from && from > 0) || size > LARGEST) continue
      // taken out with what is missing, it has no place any more
      chunks.push(
        Math.min(place, until),
        size,
        index.id[next],
        index.stream[next],
        LOST | NAMED | index.flags[next],
      )
    }
  }
  for (let row = 0; row < found.length; row++) {
    if (row % STEPS === 0) await monitor.pause()
    const offset = found.offset[row]
    const hole =
      opened || (found.flags[row] & AFTER_HOLE) > 0 || (agreed > 0 && again.losesStep(row, next, shift))
    opened = false
    const from = last
    let entry = lowerBound(index, offset - shift, next)
    const isThere = entry < index.length && index.offset[entry] === offset - shift
    // what stands where another one stood that was taken out is not that one
    const isOther = isThere && hole && !(found.flags[row] & TORN) && again.agreeing(row, entry) === 0
    const other = isOther ? again.find(row, next) : -1
    if (isThere && other < 0) skipTo(entry, from, offset, hole)
    else {
      if (hole && found.flags[row] & REWRITTEN && isPiece(found, row, index, next, shift)) {
        opened = true
        continue
      }
      if (hole && agreed > 0 && again.isForeign(row, shift)) {
        opened = true
        continue
      }
      // bytes may be missing from a torn one in front, at whose end this one stands
      const moved = hole || row === 0 || (found.flags[row - 1] & TORN) > 0
      entry = moved && other < 0 ? again.find(row, next) : other
      if (entry >= 0) {
        const moves = offset - index.offset[entry]
        // with nothing found before it, nothing else says where the index counts from
        if (row === 0) shift = moves
        skipTo(entry, from, offset, hole)
        shift = moves
      }
    }
    last = offset
    let flags = found.flags[row]
    let { size, id, stream } = at(found, row)
    if (entry >= 0) {
      agreed++
      again.agree(row)
      const named = at(index, entry)
      if (!(flags & (REWRITTEN | DAMAGED)) && (named.size !== size || !isAlike(named, { id, stream })))
        differing++
      flags |= NAMED | index.flags[entry]
      if (named.id !== id && flags & REWRITTEN) ({ id, stream } = named)
      // the header was hit and the index knows better
      if (named.size !== size && flags & (REWRITTEN | DAMAGED) && named.size < size) {
        // what lies between it and the chunk found behind is others
        opened = padded(named.size) < padded(size)
        size = named.size
        flags = (flags & ~DAMAGED) | REWRITTEN
      }
      next = entry + 1
    } else unnamed++
    chunks.push(offset, size, id, stream, flags)
  }
  return { chunks, agreed, differing, unnamed, missing, behind: index.length - next, isOpen: again.isOpen }
}

/** Chunks of which no index says anything. */
export function withoutIndex(chunks: ChunkTable): Matched {
  return { chunks, agreed: 0, differing: 0, unnamed: 0, missing: 0, behind: 0, isOpen: false }
}

/** Of one stream, and both sound or neither: of pictures some writers use both names. */
function isAlike(a: { id: number; stream: number }, b: { id: number; stream: number }): boolean {
  return a.stream === b.stream && (a.id >>> 16 === SOUND) === (b.id >>> 16 === SOUND)
}

function at(table: ChunkTable, row: number): { size: number; id: number; stream: number } {
  return { size: table.size[row], id: table.id[row], stream: table.stream[row] }
}

/** The first row from `from` on whose offset is not below. */
function lowerBound(table: ChunkTable, offset: number, from: number): number {
  let low = from
  let high = table.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (table.offset[middle] < offset) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Whether what was taken for a chunk is a piece of one that an entry from `from` on names, as the chunk behind it is where the
 * index has one.
 */
function isPiece(found: ChunkTable, row: number, index: ChunkTable, from: number, shift: number): boolean {
  const offset = found.offset[row] - shift
  const entry = lowerBound(index, offset, from) - 1
  if (entry < from || offset + found.size[row] > padded(index.offset[entry] + index.size[entry])) return false
  const behind = row + 1 < found.length ? found.offset[row + 1] - shift : -1
  const next = lowerBound(index, behind, entry)
  return next < index.length && index.offset[next] === behind
}

/** Finds where chunks go on in the index behind bytes that were put in or taken out. */
class Again {
  /** Other entries agreed as well as those that were taken. */
  isOpen = false
  readonly #found: ChunkTable
  readonly #index: ChunkTable
  readonly #comparisons: Allowance
  /** The last row that is in the index. */
  #agreed = -1

  constructor(found: ChunkTable, index: ChunkTable) {
    this.#found = found
    this.#index = index
    this.#comparisons = new Allowance(COMPARISONS_EACH * (found.length + index.length) + SEARCHES * SEARCHED)
  }

  agree(row: number): void {
    this.#agreed = row
  }

  /** The entry from `from` on with which most found chunks agree from `row` on, the first of as good ones; -1 without any. */
  find(row: number, from: number): number {
    const until = Math.min(this.#index.length, from + SEARCHED)
    let best = -1
    let most = 0
    let isOpen = false
    for (let entry = from; entry < until; entry++) {
      const count = this.agreeing(row, entry)
      if (count === 0 || count < most) continue
      isOpen = count === most
      if (isOpen) continue
      best = entry
      most = count
    }
    this.isOpen ||= isOpen
    return best
  }

  /**
   * Whether no chunk from `row` on is where the entries from `from` on have one, `shift` bytes away, though the one in front was:
   * a size led over bytes that were taken out.
   */
  losesStep(row: number, from: number, shift: number): boolean {
    const { length, offset } = this.#found
    if (row !== this.#agreed + 1 || row + AGREEING > length) return false
    for (let i = 0; i < AGREEING; i++) {
      const entry = lowerBound(this.#index, offset[row + i] - shift, from)
      if (entry < this.#index.length && this.#index.offset[entry] === offset[row + i] - shift) return false
    }
    return true
  }

  /**
   * Whether the chunk of a row stands within one that the index names, and others behind it are where the index has them, nothing
   * having moved: bytes of elsewhere were written over what was there.
   */
  isForeign(row: number, shift: number): boolean {
    const { length, offset, size, id } = this.#found
    const index = this.#index
    const place = offset[row] - shift
    const around = lowerBound(index, place, 0) - 1
    if (around < 0 || place >= index.offset[around] + index.size[around]) return false
    let agreed = 0
    for (let next = row + 1; next < Math.min(length, row + NEAR) && this.#comparisons.take(); next++) {
      const entry = lowerBound(index, offset[next] - shift, around)
      const isThere = entry < index.length && index.offset[entry] === offset[next] - shift
      agreed = isThere && index.size[entry] === size[next] && index.id[entry] === id[next] ? agreed + 1 : 0
      if (agreed === AGREEING) return true
    }
    return false
  }

  /**
   * Chunks that agree with the index by names, sizes and distances, from `row` and `entry` on up to the next hole, and one more
   * where both end together; 0 where they are too few.
   */
  agreeing(row: number, entry: number): number {
    const { length, offset, size, id, flags } = this.#found
    const index = this.#index
    const most = Math.min(COMPARED, length - row, index.length - entry)
    let shift = offset[row] - index.offset[entry]
    for (let i = 0; i < most; i++) {
      if (!this.#comparisons.take()) return 0
      const isTorn = i > 0 && (flags[row + i - 1] & TORN) === TORN
      const lacking = isTorn ? index.size[entry + i - 1] - size[row + i - 1] : 0
      // a torn one lacks bytes, by which all behind it is nearer
      if (lacking > 0) shift = offset[row + i] - index.offset[entry + i]
      const isHole = i > 0 && (lacking > 0 || (flags[row + i] & AFTER_HOLE) > 0)
      const isShort = i > 0 && (flags[row + i] & TORN) === TORN && size[row + i] < index.size[entry + i]
      const isAlike =
        id[row + i] === index.id[entry + i] &&
        offset[row + i] - index.offset[entry + i] === shift &&
        (isShort || size[row + i] === index.size[entry + i])
      // where something is missing what came before has to do
      if (!isAlike) return isHole || i >= AGREEING ? i : 0
    }
    return row + most === length && entry + most === index.length ? most + 1 : most
  }
}
