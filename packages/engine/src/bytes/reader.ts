import type { Allowance } from '../model/allowance.ts'
import { BLOCK_SIZE, Block } from './block.ts'
import type { ByteSource } from './source.ts'
import { workOn } from './work.ts'

/**
 * Blocks kept of those passed last: what goes through a file needs no more, and so few stay near the processor, where they are
 * filled in half of the time.
 */
const PASSED = 6
/**
 * Blocks kept of those that were come back to: 16 MiB with the others, so that looking ahead and stepping back stays in memory.
 */
const KEPT = 64 - PASSED
/** Bytes fetched at once: what is passed holds them, and nearly every picture is shorter. */
const MOST_FETCHED = (PASSED - 2) * BLOCK_SIZE

const EMPTY = new Uint8Array(0)
/** Longest piece across the border of two blocks that is kept: searches ask for the same again from every place on. */
const LONGEST_SEAM = 1 << 17
/** Places for four-character codes that are remembered; a code's is told by the top bits of its product with an odd number. */
const CODE_BITS = 9
const MIXED = 0x9e3779b1

/**
 * Cached big-endian access to a source at any offset. Reading past the end is an expected result: numbers read as
 * zero there and `bytes` comes back short, so parsers compare against `size` where it matters.
 */
export class ByteReader {
  readonly size: number
  readonly source: ByteSource
  /** Of which every search of these bytes takes its steps; a repair's files share one. */
  readonly work: Allowance
  /** Those passed last, in the order in which they were read. */
  readonly #passed = new Map<number, Block>()
  /** Numbers of those that were passed and are gone, the last ones: who comes back to one may do so again. */
  readonly #gone = new Set<number>()
  /** Those that were come back to. */
  readonly #kept = new Map<number, Block>()
  /** Blocks taken of those. */
  #uses = 0
  /** The block in use, its number and offset, and between which offsets it holds bytes. */
  #block: Block | undefined
  #index = -1
  #current: Uint8Array = EMPTY
  #base = 0
  #currentStart = 0
  #currentEnd = 0
  /** Four-character codes and their texts: a file's are few, and a text each would take as much room as a box. */
  readonly #codes = new Int32Array(1 << CODE_BITS)
  readonly #texts: string[] = []
  /** Bounds of what was fetched last. */
  #fetchedStart = 0
  #fetchedEnd = 0
  /** The last piece across a border, and its offset. */
  #seam: Uint8Array = EMPTY
  #seamStart = 0

  /** @param work of the file that the source shows otherwise, or of the repair; its own by default */
  constructor(source: ByteSource, work: Allowance = workOn(source.size)) {
    this.source = source
    this.size = source.size
    this.work = work
  }

  /** The byte at `offset`, 0 past the end. */
  u8(offset: number): number {
    if (offset < this.#currentStart || offset >= this.#currentEnd) {
      if (!this.#load(offset)) return 0
    }
    return this.#current[offset - this.#base]
  }

  u16(offset: number): number {
    if (offset >= this.#currentStart && offset + 2 <= this.#currentEnd) {
      const block = this.#current
      const at = offset - this.#base
      return (block[at] << 8) | block[at + 1]
    }
    return (this.u8(offset) << 8) | this.u8(offset + 1)
  }

  u24(offset: number): number {
    return (this.u16(offset) << 8) | this.u8(offset + 2)
  }

  u32(offset: number): number {
    if (offset >= this.#currentStart && offset + 4 <= this.#currentEnd) {
      const block = this.#current
      const at = offset - this.#base
      return ((block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3]) >>> 0
    }
    return ((this.u16(offset) << 16) | this.u16(offset + 2)) >>> 0
  }

  i32(offset: number): number {
    return this.u32(offset) | 0
  }

  /** A 64-bit unsigned number; values above 2^53 lose their low bits, which no file size reaches. */
  u64(offset: number): number {
    return this.u32(offset) * 0x1_0000_0000 + this.u32(offset + 4)
  }

  u16le(offset: number): number {
    if (offset >= this.#currentStart && offset + 2 <= this.#currentEnd) {
      const block = this.#current
      const at = offset - this.#base
      return block[at] | (block[at + 1] << 8)
    }
    return this.u8(offset) | (this.u8(offset + 1) << 8)
  }

  u32le(offset: number): number {
    if (offset >= this.#currentStart && offset + 4 <= this.#currentEnd) {
      const block = this.#current
      const at = offset - this.#base
      return (block[at] | (block[at + 1] << 8) | (block[at + 2] << 16) | (block[at + 3] << 24)) >>> 0
    }
    return (this.u16le(offset) | (this.u16le(offset + 2) << 16)) >>> 0
  }

  u64le(offset: number): number {
    return this.u32le(offset + 4) * 0x1_0000_0000 + this.u32le(offset)
  }

  /**
   * Up to `length` bytes from `offset`, short at the end of the file. A view into the cache where one block holds
   * them all, else a copy: read-only either way, and valid until the next call on this reader.
   */
  bytes(offset: number, length: number): Uint8Array {
    if (offset >= this.size || length <= 0 || offset < 0) return EMPTY
    const end = Math.min(offset + length, this.size)
    if (offset < this.#currentStart || end > this.#currentEnd) {
      if (Math.floor(offset / BLOCK_SIZE) === Math.floor((end - 1) / BLOCK_SIZE)) this.#load(offset, end)
    }
    if (offset >= this.#currentStart && end <= this.#currentEnd) {
      // twice as fast as a subarray
      const { buffer, byteOffset } = this.#current
      return new Uint8Array(buffer, byteOffset + offset - this.#base, end - offset)
    }
    return this.#across(offset, end)
  }

  /**
   * Where `length` bytes from `offset`, or those up to the end of the file, begin in `block`; -1 where no block holds them all.
   * For what is asked of millions of places: a view of each would cost more than what is read there.
   */
  placeInBlock(offset: number, length: number): number {
    const end = Math.min(offset + length, this.size)
    if (offset < 0 || offset >= end) return -1
    if (offset < this.#currentStart || end > this.#currentEnd) {
      if (Math.floor(offset / BLOCK_SIZE) !== Math.floor((end - 1) / BLOCK_SIZE)) return -1
      if (!this.#load(offset, end) || end > this.#currentEnd) return -1
    }
    return offset - this.#base
  }

  /** The bytes that `placeInBlock` tells a place in: read-only, until the next call on this reader. */
  get block(): Uint8Array {
    return this.#current
  }

  /**
   * Bytes that no block holds alone. A short piece is taken so much longer that one as long from any place before the border is
   * within.
   */
  #across(offset: number, end: number): Uint8Array {
    const start = this.#seamStart
    if (offset >= start && end <= start + this.#seam.length)
      return this.#seam.subarray(offset - start, end - start)
    const length = end - offset
    const border = Math.ceil((offset + 1) / BLOCK_SIZE) * BLOCK_SIZE
    const isShort = length <= LONGEST_SEAM && end > border
    const copy = new Uint8Array(isShort ? Math.min(border + length, this.size) - offset : length)
    this.copyTo(offset, copy)
    if (!isShort) return copy
    this.#seam = copy
    this.#seamStart = offset
    return copy.subarray(0, length)
  }

  /**
   * Brings bytes into the cache that are going to be looked at here and there, in few reads: the first MiB of them. Those of the
   * last call cost nothing again.
   */
  fetch(offset: number, length: number): void {
    const end = Math.min(offset + Math.min(length, MOST_FETCHED), this.size)
    const isWithin = offset >= this.#fetchedStart && offset < this.#fetchedEnd
    for (let at = isWithin ? this.#fetchedEnd : offset; at < end; ) {
      if (at < this.#currentStart || end > this.#currentEnd) this.#load(at, end)
      at = (Math.floor(at / BLOCK_SIZE) + 1) * BLOCK_SIZE
    }
    if (isWithin && end <= this.#fetchedEnd) return
    this.#fetchedStart = offset
    this.#fetchedEnd = end
  }

  /** Fills `target` from `offset`, past the cache for large pieces. Returns the bytes copied. */
  copyTo(offset: number, target: Uint8Array): number {
    if (target.length >= BLOCK_SIZE) return this.source.read(offset, target)
    let done = 0
    while (done < target.length && offset + done < this.size) {
      const at = offset + done
      if (at < this.#currentStart || at >= this.#currentEnd) {
        if (!this.#load(at, offset + target.length)) break
      }
      const until = Math.min(this.#currentEnd, offset + target.length)
      target.set(this.#current.subarray(at - this.#base, until - this.#base), done)
      done += until - at
    }
    return done
  }

  /** Four bytes as text, for box types and chunk ids; bytes outside Latin-1 printables show as they are. */
  fourcc(offset: number): string {
    const code = this.u32(offset) | 0
    if (this.#texts.length === 0) this.#texts.push(...new Array<string>(1 << CODE_BITS).fill('\0\0\0\0'))
    const place = Math.imul(code, MIXED) >>> (32 - CODE_BITS)
    if (this.#codes[place] === code) return this.#texts[place]
    const text = String.fromCharCode(code >>> 24, (code >> 16) & 0xff, (code >> 8) & 0xff, code & 0xff)
    this.#codes[place] = code
    this.#texts[place] = text
    return text
  }

  /** The block of a number: one in memory, or one without bytes yet. */
  #take(index: number, length: number): Block {
    const kept = this.#kept.get(index)
    if (kept) {
      kept.lastUse = ++this.#uses
      return kept
    }
    const passed = this.#passed.get(index)
    if (passed) return passed
    const cameBack = this.#gone.delete(index)
    const block = cameBack ? spare(this.#kept, KEPT, length) : this.#sparePassed(length)
    if (cameBack) block.lastUse = ++this.#uses
    const blocks = cameBack ? this.#kept : this.#passed
    blocks.set(index, block)
    return block
  }

  /**
   * A block for what is seen for the first time. The number of the one that it takes the place of is noted; of such no more are
   * known than blocks are kept.
   */
  #sparePassed(length: number): Block {
    const [oldest] = this.#passed.keys()
    if (this.#passed.size >= PASSED) this.#gone.add(oldest)
    const [first] = this.#gone
    if (this.#gone.size > KEPT) this.#gone.delete(first)
    return spare(this.#passed, PASSED, length)
  }

  /** Makes the block around `offset` the current one, bytes up to `until` in memory as far as it holds them. */
  #load(offset: number, until = offset + 1): boolean {
    if (offset < 0 || offset >= this.size) return false
    const index = Math.floor(offset / BLOCK_SIZE)
    const start = index * BLOCK_SIZE
    let block = this.#block
    if (index !== this.#index || !block) {
      block = this.#take(index, Math.min(BLOCK_SIZE, this.size - start))
      this.#block = block
      this.#index = index
      this.#current = block.bytes
      this.#base = start
    }
    const last = Math.min(until - start, block.bytes.length)
    if (!block.holds(offset - start, last)) {
      const before = this.#passed.get(index - 1) ?? this.#kept.get(index - 1)
      block.need(this.source, start, offset - start, last, before?.row() ?? 0)
    }
    this.#currentStart = start + block.from
    this.#currentEnd = start + block.to
    return offset < this.#currentEnd
  }
}

/**
 * A block for a piece of `length` bytes, without bytes: once there are `most`, the one longest unused, of those the first, so
 * that a long file leaves no garbage.
 */
function spare(blocks: Map<number, Block>, most: number, length: number): Block {
  if (blocks.size < most) return new Block(length)
  let [[index, block]] = blocks
  for (const [other, each] of blocks) if (each.lastUse < block.lastUse) [index, block] = [other, each]
  blocks.delete(index)
  if (block.bytes.length !== length) return new Block(length)
  block.reset()
  return block
}
