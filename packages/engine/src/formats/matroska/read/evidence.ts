import type { ByteReader } from '../../../bytes/reader.ts'
import { ElementHeader, UNKNOWN_SIZE } from '../../../syntax/ebml/element.ts'
import {
  BLOCK_GROUP,
  CLUSTER,
  CRC_32,
  EBML,
  LEVEL_ONE,
  POSITION,
  PREV_SIZE,
  SEGMENT,
  SIMPLE_BLOCK,
  TIMESTAMP,
  VOID,
} from '../ids.ts'
import { BlockHead } from './block.ts'

/** Bits by which the header of an element speaks for itself: those of its bytes that hardly have another value. */
const STRONG = 32
const SUM = 16
const NUMBER = 11
/** Identifier and reserved flags of a block; its track's number comes on top. */
const BLOCK_BITS = 13
const TRACK_BITS = 7
const FILLER = 8
/** An element that ends where the file does. */
const FILE_END = 14
/** Bits from which elements that follow each other are no chance: a gigabyte of noise offers 30. */
export const CERTAIN = 36
const MOST_LINKS = 8
/** Bits of an element that one whose header is known may be followed by. */
const FOLLOWS = 13

/** Tells from bytes whether elements of a Segment begin at a place. */
export class Evidence {
  readonly #reader: ByteReader
  readonly #header = new ElementHeader()
  readonly #block = new BlockHead()
  /** Tracks whose blocks are expected; any where there are none. */
  numbers: ReadonlySet<number> = new Set()
  #next = 0

  constructor(reader: ByteReader) {
    this.#reader = reader
  }

  /** Where the element that was looked at last ends. */
  get next(): number {
    return this.#next
  }

  /** Bits by which an element that may follow others begins at `at`, 0 for none. Sets `next`. */
  at(at: number): number {
    const reader = this.#reader
    const { size } = reader
    if (at === size) {
      this.#next = at
      return FILE_END
    }
    const first = reader.u8(at)
    if (first === SIMPLE_BLOCK || first === BLOCK_GROUP) return this.blockAt(at)
    const header = this.#header
    if (!header.read(reader, at, size)) return 0
    this.#next = header.end
    const { id } = header
    if (id === CLUSTER || id === SEGMENT) {
      this.#next = header.body
      return STRONG
    }
    if (header.size === UNKNOWN_SIZE || header.end > size) return 0
    if (id === EBML || LEVEL_ONE.has(id)) return STRONG
    if (id === CRC_32) return header.size === 4 ? SUM : 0
    if (id === VOID) return FILLER
    if (id === TIMESTAMP || id === POSITION || id === PREV_SIZE) return header.size <= 8 ? NUMBER : 0
    return 0
  }

  /** The same for a block, which may reach past the end of the file. */
  blockAt(at: number): number {
    const block = this.#block
    if (!block.read(this.#reader, at, this.#reader.size)) return 0
    if (this.numbers.size > 0 && !this.numbers.has(block.track)) return 0
    this.#next = block.elementEnd
    return BLOCK_BITS + (this.numbers.size > 0 ? TRACK_BITS - Math.log2(this.numbers.size) : 0)
  }

  /** Whether something begins at `at` that may follow an element. */
  follows(at: number): boolean {
    let from = at
    for (let links = 0; links < MOST_LINKS; links++) {
      const bits = this.at(from)
      if (bits >= FOLLOWS) return true
      if (bits === 0 || this.next <= from) return false
      from = this.next
    }
    return false
  }

  /** Bits of the elements that follow each other from `at` on, up to `CERTAIN`. */
  chain(at: number): number {
    let bits = 0
    let from = at
    for (let links = 0; links < MOST_LINKS && bits < CERTAIN; links++) {
      const more = this.at(from)
      if (more === 0) break
      bits += more
      if (from === this.#reader.size || this.next <= from || this.next > this.#reader.size) break
      from = this.next
    }
    return bits
  }
}
