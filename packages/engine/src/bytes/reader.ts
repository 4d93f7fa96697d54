import type { ByteSource } from './source.ts'

const BLOCK_BITS = 18
/** Bytes a cached block holds: large enough for few reads, small enough for scattered headers. */
const BLOCK_SIZE = 1 << BLOCK_BITS
/** Cached blocks: 16 MiB, so that looking ahead and stepping back stays in memory. */
const BLOCK_COUNT = 64

const EMPTY = new Uint8Array(0)

/**
 * Cached big-endian access to a source at any offset. Reading past the end is an expected result: numbers read as
 * zero there and `bytes` comes back short, so parsers compare against `size` where it matters.
 */
export class ByteReader {
  readonly size: number
  readonly source: ByteSource
  readonly #blocks = new Map<number, Uint8Array>()
  #current: Uint8Array = EMPTY
  #currentStart = 0
  #currentEnd = 0

  constructor(source: ByteSource) {
    this.source = source
    this.size = source.size
  }

  /** The byte at `offset`, 0 past the end. */
  u8(offset: number): number {
    if (offset < this.#currentStart || offset >= this.#currentEnd) {
      if (!this.#load(offset)) return 0
    }
    return this.#current[offset - this.#currentStart]
  }

  u16(offset: number): number {
    const at = offset - this.#currentStart
    if (at >= 0 && offset + 2 <= this.#currentEnd) {
      const block = this.#current
      return (block[at] << 8) | block[at + 1]
    }
    return (this.u8(offset) << 8) | this.u8(offset + 1)
  }

  u24(offset: number): number {
    return (this.u16(offset) << 8) | this.u8(offset + 2)
  }

  u32(offset: number): number {
    const at = offset - this.#currentStart
    if (at >= 0 && offset + 4 <= this.#currentEnd) {
      const block = this.#current
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
    return this.u8(offset) | (this.u8(offset + 1) << 8)
  }

  u32le(offset: number): number {
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
    if (offset < this.#currentStart || offset >= this.#currentEnd) this.#load(offset)
    if (end <= this.#currentEnd) {
      return this.#current.subarray(offset - this.#currentStart, end - this.#currentStart)
    }
    const copy = new Uint8Array(end - offset)
    this.copyTo(offset, copy)
    return copy
  }

  /** Fills `target` from `offset`, past the cache for large pieces. Returns the bytes copied. */
  copyTo(offset: number, target: Uint8Array): number {
    if (target.length >= BLOCK_SIZE) return this.source.read(offset, target)
    let done = 0
    while (done < target.length && offset + done < this.size) {
      const at = offset + done
      if (at < this.#currentStart || at >= this.#currentEnd) {
        if (!this.#load(at)) break
      }
      const part = this.#current.subarray(
        at - this.#currentStart,
        at - this.#currentStart + target.length - done,
      )
      target.set(part, done)
      done += part.length
    }
    return done
  }

  /** Four bytes as text, for box types and chunk ids; bytes outside Latin-1 printables show as they are. */
  fourcc(offset: number): string {
    return String.fromCharCode(this.u8(offset), this.u8(offset + 1), this.u8(offset + 2), this.u8(offset + 3))
  }

  /** An array for a block: the one longest unused once the cache is full, so that a long file leaves no garbage. */
  #spare(length: number): Uint8Array {
    if (this.#blocks.size >= BLOCK_COUNT) {
      for (const [index, block] of this.#blocks) {
        this.#blocks.delete(index)
        if (block.length === length) return block
        break
      }
    }
    return new Uint8Array(length)
  }

  #load(offset: number): boolean {
    if (offset < 0 || offset >= this.size) return false
    const index = Math.floor(offset / BLOCK_SIZE)
    let block = this.#blocks.get(index)
    if (block) {
      this.#blocks.delete(index)
    } else {
      const length = Math.min(BLOCK_SIZE, this.size - index * BLOCK_SIZE)
      block = this.#spare(length)
      const got = this.source.read(index * BLOCK_SIZE, block)
      if (got < block.length) block = block.subarray(0, got)
    }
    this.#blocks.set(index, block)
    this.#current = block
    this.#currentStart = index * BLOCK_SIZE
    this.#currentEnd = this.#currentStart + block.length
    return offset < this.#currentEnd
  }
}
