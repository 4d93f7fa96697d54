import type { ByteReader } from '../../../bytes/reader.ts'
import { ClockTable } from '../../../recording/clock-table.ts'
import { PADDING } from '../../../syntax/pes/stream-ids.ts'
import { ticksBetween, wrapped } from '../../../syntax/pes/time-stamp.ts'
import { ClockRows } from './clock-rows.ts'
import { type Item, readItem } from './item.ts'

/** Bytes of packs that are compared at most. */
const LONGEST = 1 << 20
const PIECE = 1 << 16
/** Steps from pack to pack that are all alike where their writer keeps to one rate, and the share of them that may be gaps. */
const SETTLED = 64
const MOST_GAPS = 1 / 64
/** Ticks by which those differ, as they are rounded. */
const ROUNDING = 1
/** Bytes of a pack's header in MPEG-1, whose writers keep to one rate: those of MPEG-2 pause. */
const MPEG1_PACK_BYTES = 12

/** Packs that are missing in front of one. */
export interface PackGap {
  readonly offset: number
  readonly count: number
}

/** The clocks of packs, and what they tell of their order: which stand in the file twice, and which are missing. */
export class PackClocks {
  /** Where packs stand, and their clocks, unwrapped. */
  readonly table: ClockTable
  readonly #reader: ByteReader
  /** The last rows by their clocks. */
  readonly #rows = new ClockRows()
  /** Where the last pack ends behind which others stand twice; -1 while none do. */
  #end = -1
  /** Ticks and bytes from pack to pack, how many kept to them, and the gaps; undefined of writers without a rate. */
  #step = 0
  #bytes = 0
  #kept = 0
  #gaps: PackGap[] | undefined = []

  constructor(reader: ByteReader, limit: number) {
    this.#reader = reader
    this.table = new ClockTable(limit, reader.size)
  }

  /** The bytes from a pack up to the next one that stand farther in front as well, at the same clock; 0 where they do not. */
  doubled({ offset, clock = -1 }: Item): number {
    const { length, dts, offset: starts } = this.table
    if (length === 0 || ticksBetween(wrapped(dts[length - 1]), clock) > 0) return 0
    const row = this.#rows.last(clock, dts)
    if (row < 0) return 0
    const end = row + 1 < length ? starts[row + 1] : this.#end < 0 ? offset : this.#end
    const bytes = end - starts[row]
    if (bytes > LONGEST || !this.#isSame(starts[row], offset, bytes) || !this.#isFilled(offset, bytes))
      return 0
    if (this.#end < 0) this.#end = offset
    return bytes
  }

  take({ offset, length: headBytes, clock = 0 }: Item): void {
    const { table } = this
    const near = table.length === 0 ? clock : table.dts[table.length - 1]
    const last = table.push(offset, near + ticksBetween(wrapped(near), clock))
    const { dts, offset: starts } = table
    this.#end = -1
    this.#rows.add(clock, last)
    // the first step is to the first packets' time
    if (last < 2 || !this.#gaps) return
    const step = dts[last] - dts[last - 1]
    const bytes = offset - starts[last - 1]
    if (this.#step === 0) {
      this.#step = step
      this.#bytes = bytes
    }
    if (Math.abs(step - this.#step) <= ROUNDING) {
      this.#kept++
      return
    }
    const steps = Math.round(step / this.#step)
    const isGap =
      bytes === this.#bytes && steps > 1 && Math.abs(step - steps * this.#step) <= steps * ROUNDING
    if (!isGap || headBytes !== MPEG1_PACK_BYTES) this.#gaps = undefined
    else this.#gaps.push({ offset, count: steps - 1 })
  }

  /** Where packs are missing: their writer keeps to one rate, but for these few places, behind which it goes on. */
  get gaps(): readonly PackGap[] {
    const gaps = this.#gaps ?? []
    return this.#kept >= SETTLED && gaps.length <= this.#kept * MOST_GAPS ? gaps : []
  }

  /** Whether a pack holds packets other than padding, which all look alike. */
  #isFilled(offset: number, bytes: number): boolean {
    for (let at = offset; at < offset + bytes; ) {
      const item = readItem(this.#reader, at)
      if (!item) return false
      if (item.header && item.code !== PADDING) return true
      at += item.length
    }
    return false
  }

  #isSame(one: number, other: number, bytes: number): boolean {
    if (other + bytes > this.#reader.size) return false
    for (let at = 0; at < bytes; at += PIECE) {
      const length = Math.min(PIECE, bytes - at)
      const first = this.#reader.bytes(one + at, length).slice()
      const second = this.#reader.bytes(other + at, length)
      if (first.some((byte, i) => byte !== second[i])) return false
    }
    return true
  }
}
