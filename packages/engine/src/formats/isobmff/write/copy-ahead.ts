import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import type { SeekableSink } from '../../../bytes/sink.ts'
import { SAMPLE_KEY, SAMPLE_RESTART } from '../../../model/sample-table.ts'
import type { Settled } from '../../../recovery/carve.ts'
import type { Pieces } from './plan-chunks.ts'

/** When copying early begins, in bytes. */
export interface EarlyBounds {
  /** Payload from which on it is worth it; below, the copy takes no time that anybody notices. */
  readonly payload: number
  /** Payload that has to be carved before the size of the index is estimated. */
  readonly carved: number
}

const BOUNDS: EarlyBounds = { payload: 128 * 1024 * 1024, carved: 32 * 1024 * 1024 }

/**
 * Bytes of index entries: a chunk's offset and its line in the sample-to-chunk table; what a hole changes in the tables of times.
 */
const CHUNK_ENTRIES = 8 + 12
const HOLE_ENTRIES = 64
const TIME_ENTRY = 8
const NUMBER = 4
/** Everything in an index that does not grow with its samples, and what the estimate may err by. */
const INDEX_REST = 256 * 1024
const MARGIN = 1.15
/** A chunk ends after a mebibyte at the latest. */
const CHUNK_BYTES = 1024 * 1024
/** Most bytes in front of the payload that are copied along with it, and have to be cleared. */
const MOST_BEFORE = 4 * 1024 * 1024

/**
 * Copies payload while it is still being carved, behind room for the index: nearly everything between two holes ends up in the
 * result as it lies in the damaged file. What the final plan wants otherwise is written anew from the first difference on.
 */
export class EarlyCopy {
  readonly #sink: SeekableSink
  readonly #reader: ByteReader
  readonly #regions: readonly Region[]
  readonly #payload: number
  readonly #bounds: EarlyBounds
  /** Pictures of such recordings are shown in another order than they are decoded in. */
  readonly #reordered: boolean
  readonly #offsets: number[] = []
  readonly #lengths: number[] = []
  #front = 0
  #unwanted: Region = { offset: 0, length: 0 }
  #refused = false
  /** Where in the damaged file to go on, and the next hole there. */
  #at = 0
  #hole = 0

  constructor(
    sink: SeekableSink,
    reader: ByteReader,
    regions: readonly Region[],
    reordered: boolean,
    bounds = BOUNDS,
  ) {
    this.#bounds = bounds
    this.#sink = sink
    this.#reader = reader
    this.#regions = regions
    this.#reordered = reordered
    this.#payload = regions.reduce((sum, { length }) => sum + length, 0)
  }

  /** What the sink may have copied ahead to before the payload, though nobody wants it there. */
  get unwanted(): Region {
    return this.#unwanted
  }

  /** What was copied, in file order. */
  get copied(): readonly Region[] {
    return this.#offsets.map((offset, i) => ({ offset, length: this.#lengths[i] }))
  }

  /** Bytes left free in front of the payload; 0 when nothing was copied. */
  get front(): number {
    return this.#front
  }

  /** Copies what is settled since the last call. @throws EnvironmentError */
  async advance(settled: Settled): Promise<void> {
    if (this.#refused || this.#payload < this.#bounds.payload) return
    if (this.#front === 0) {
      const carved = bytesBefore(this.#regions, settled.until)
      if (carved < this.#bounds.carved) return
      const lost = settled.holes.reduce((sum, { length }) => sum + length, 0)
      this.#refused = lost > carved / 2 || !this.#sink.copy(this.#reader.source, 0, 0)
      if (this.#refused) return
      const index = Math.ceil(estimate(settled, this.#reordered) * (this.#payload / carved) + INDEX_REST)
      const { lead } = this.#sink
      this.#front = this.#ahead(index, lead) ?? index
      if (lead !== undefined) this.#unwanted = { offset: lead, length: Math.max(0, this.#front - lead) }
      await this.#sink.seek(this.#front)
    }
    const { holes, until } = settled
    for (const region of this.#regions) {
      const end = Math.min(region.offset + region.length, until)
      this.#at = Math.max(this.#at, region.offset)
      while (this.#at < end) {
        while (this.#hole < holes.length && endOf(holes[this.#hole]) <= this.#at) this.#hole++
        const hole = holes[this.#hole]
        const stop = hole ? Math.max(this.#at, Math.min(hole.offset, end)) : end
        this.#copy(this.#at, stop)
        this.#at = hole && hole.offset <= stop ? endOf(hole) : stop
      }
      if (until <= region.offset + region.length) return
    }
  }

  /**
   * Where the payload lies that the sink copies by itself, if there is room for an index of so many bytes and little before the
   * payload.
   */
  #ahead(index: number, lead: number | undefined): number | undefined {
    const [{ offset }] = this.#regions
    return lead === undefined || lead + offset < index || offset > MOST_BEFORE ? undefined : lead + offset
  }

  /** Bytes from the start of the payload that lie there already as `wanted` has them. */
  matching(wanted: Pieces): number {
    let bytes = 0
    let piece = 0
    for (let i = 0; i < this.#offsets.length; i++) {
      for (let done = 0; done < this.#lengths[i]; piece++) {
        if (piece === wanted.length || wanted.offset[piece] !== this.#offsets[i] + done) return bytes
        const same = Math.min(this.#lengths[i] - done, wanted.bytes[piece])
        bytes += same
        done += same
        // what was copied joins wherever it can: the rest of the piece was not
        if (same < wanted.bytes[piece]) return bytes
      }
    }
    return bytes
  }

  /** The copy is of no use: the sink is empty again. @throws EnvironmentError */
  async discard(): Promise<void> {
    if (this.#front > 0) await this.#sink.seek(0)
    this.#front = 0
    this.#refused = true
  }

  #copy(from: number, to: number): void {
    if (to <= from) return
    const last = this.#offsets.length - 1
    if (this.#offsets[last] + this.#lengths[last] === from) this.#lengths[last] += to - from
    else {
      this.#offsets.push(from)
      this.#lengths.push(to - from)
    }
    this.#sink.copy(this.#reader.source, from, to - from)
  }
}

function endOf({ offset, length }: Region): number {
  return offset + length
}

function bytesBefore(regions: readonly Region[], until: number): number {
  return regions.reduce((sum, { offset, length }) => sum + Math.min(length, Math.max(0, until - offset)), 0)
}

/** Bytes that the index of what is carved so far takes, rather too many than too few. */
function estimate({ tables, holes }: Settled, reordered: boolean): number {
  let bytes = holes.length * HOLE_ENTRIES * tables.length
  for (const [lane, table] of tables.entries()) {
    const others = tables.filter((_, other) => other !== lane)
    const next = others.map(() => 0)
    let shown = Number.NEGATIVE_INFINITY
    let backwards = reordered
    let uneven = false
    let keys = 0
    let chunks = 0
    let inChunk = 0
    for (let row = 0; row < table.length; row++) {
      const flags = table.flags[row]
      if (flags & SAMPLE_KEY) keys++
      if (table.order[row] < shown && !(flags & SAMPLE_RESTART)) backwards = true
      shown = table.order[row]
      if (table.duration[row] % 1 !== 0) uneven = true
      let interrupted = false
      for (const [i, other] of others.entries()) {
        const before = next[i]
        while (next[i] < other.length && other.offset[next[i]] < table.offset[row]) next[i]++
        if (next[i] !== before) interrupted = true
      }
      inChunk += table.size[row]
      if (interrupted || inChunk >= CHUNK_BYTES) {
        chunks++
        inChunk = 0
      }
    }
    // every sample a key sample needs no list of them
    if (keys < table.length) bytes += keys * NUMBER
    if (backwards) bytes += table.length * TIME_ENTRY
    if (uneven) bytes += table.length * TIME_ENTRY
    bytes += table.length * NUMBER + chunks * CHUNK_ENTRIES
  }
  return bytes * MARGIN
}
