import type { ByteReader } from '../../../bytes/reader.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import { PACK, readItem } from './item.ts'
import type { Streams } from './streams.ts'

/** Zeros that writers put between packs to fill sectors; more are a hole. */
export const MOST_PADDING = 512
/** Bytes searched for the next packet before the world outside is looked at. */
const SEARCH_BYTES = 1 << 20

/** Bits of a start code that may be turned. */
const MOST_FLIPS = 2

/** Tells whether some sector of a stretch of payload is not whole. */
export type IsHit = (from: number, to: number) => boolean

/** Finds where items follow one another, and the next one behind bytes that are none. */
export class ItemSearch {
  readonly #reader: ByteReader
  readonly #streams: Streams
  readonly #isHit: IsHit | undefined

  constructor(reader: ByteReader, streams: Streams, isHit: IsHit | undefined) {
    this.#reader = reader
    this.#streams = streams
    this.#isHit = isHit
  }

  /** Where zeros that fill up end, behind which an item or the end of the file is; 0 when these are none. */
  padding(at: number): number {
    const { size } = this.#reader
    const stop = this.#isHit ? size : Math.min(size, at + MOST_PADDING)
    let next = at
    while (next < stop && this.#reader.u8(next) === 0) next++
    if (next - at >= MOST_PADDING && this.#isHit?.(at, next)) return 0
    if (next === size) return size
    const start = next - 2
    return start > at && next < stop && readItem(this.#reader, start) ? start : 0
  }

  /** Whether an item is at `at`, be its start code hit, or filling up, or the end of the file. */
  leads(at: number): boolean {
    if (at === this.#reader.size || readItem(this.#reader, at) !== undefined) return true
    return this.padding(at) > at || this.wasStart(at)
  }

  /**
   * Whether a start code stands at `at`, or stood there before a bit or two were hit: bytes that are none are rarely so near to
   * one.
   */
  wasStart(at: number): boolean {
    return at + 3 <= this.#reader.size && bitsIn(this.#reader.u24(at) ^ 1) <= MOST_FLIPS
  }

  /** Whether a pack is at `at`, or a packet of a known stream that leads on to another item. */
  isAnchor(at: number): boolean {
    const item = readItem(this.#reader, at)
    if (!item) return false
    if (item.code === PACK) return true
    if (!item.header) return false
    const end = at + item.length
    const isKnown = this.#streams.size === 0 || this.#streams.has(item.code)
    return isKnown && end <= this.#reader.size && this.leads(end)
  }

  /**
   * The next anchor at or behind `from` but `expected`: those in front of that lie in a packet that is shorter than it says. The
   * end of the file when there is none. `pause` is told now and then how far the search came.
   */
  async next(from: number, expected: number, pause: (at: number) => Promise<void>): Promise<number> {
    const { size } = this.#reader
    let at = from
    let shown = from
    while (at < size) {
      const stop = Math.min(size, at + SEARCH_BYTES)
      const start = nextStartCode(this.#reader, at, stop)
      if (start + 3 > stop) {
        at = stop === size ? size : stop - 2
        if (at - shown >= SEARCH_BYTES) {
          shown = at
          await pause(Math.max(at, expected))
        }
        continue
      }
      if (start !== expected && this.isAnchor(start)) return start
      at = start + 3
    }
    return size
  }
}

/** Bits that are set. */
export function bitsIn(value: number): number {
  let count = 0
  for (let left = value; left !== 0; left &= left - 1) count++
  return count
}
