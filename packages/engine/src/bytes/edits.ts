import { LimitError } from '../model/errors.ts'
import type { Foresight } from './foresight.ts'
import { Gathered } from './gathered.ts'
import { mergedOrder } from './merged-order.ts'
import type { RangeWriter } from './range-writer.ts'

/** Changes kept at most: a file that needs more is none that was damaged. */
const MOST_EDITS = 4_000_000
/** Bytes that are put in or in the place of others at most. */
const MOST_BYTES = 2 ** 32 - 1
/** Changes of one piece of the list: a longer one takes further pieces, and none is copied. */
const PIECE_BITS = 12
const PIECE = 1 << PIECE_BITS
const WITHIN = PIECE - 1

/** Some changes one behind the other, in columns. */
class Piece {
  readonly offset = new Float64Array(PIECE)
  readonly length = new Float64Array(PIECE)
  /** Where each one's bytes begin among all that are kept; they end where the next one's begin. */
  readonly start = new Uint32Array(PIECE)
}

/**
 * A result told by how it differs from the damaged file: stretches that are left out or replaced, and bytes put in between. Told
 * in any order; of two that begin at one place the later counts. A stretch that begins in another is skipped; bytes put in are
 * never.
 */
export class Edits {
  #count = 0
  readonly #pieces: Piece[] = []
  readonly #bytes = new Gathered()
  #growth = 0
  readonly #foresight: Foresight | undefined

  /** @param foresight told of by `reached`, for a result that is going to be written. */
  constructor(foresight?: Foresight) {
    this.#foresight = foresight
  }

  get count(): number {
    return this.#count
  }

  /** Leaves out [offset, offset + length). @throws LimitError */
  drop(offset: number, length: number): void {
    const last = this.#count - 1
    if (last >= 0 && this.#start(last) === this.#bytes.length && this.#end(last) === offset) {
      this.#pieces[last >> PIECE_BITS].length[last & WITHIN] += length
      this.#growth -= length
    } else this.replace(offset, length, NOTHING)
  }

  /** Puts bytes in front of what stands at `offset`. @throws LimitError */
  insert(offset: number, bytes: Uint8Array): void {
    this.replace(offset, 0, bytes)
  }

  /** Puts bytes in the place of [offset, offset + length). @throws LimitError */
  replace(offset: number, length: number, bytes: Uint8Array): void {
    if (this.#count >= MOST_EDITS) throw new LimitError(`more than ${MOST_EDITS} places to repair`)
    if (this.#bytes.length + bytes.length > MOST_BYTES)
      throw new LimitError(`more than ${MOST_BYTES} bytes to put in`)
    const at = this.#count & WITHIN
    if (at === 0) this.#pieces.push(new Piece())
    const piece = this.#pieces[this.#count >> PIECE_BITS]
    piece.offset[at] = offset
    piece.length[at] = length
    piece.start[at] = this.#bytes.length
    this.#bytes.add(bytes)
    this.#growth += bytes.length - length
    this.#count++
  }

  /** Whoever walks over the file tells how far the changes are known. */
  reached(offset: number): void {
    this.#foresight?.reached(offset, this.#growth)
  }

  /** Writes the first `size` bytes of the damaged file with all changes. @throws EnvironmentError, AbortedError */
  async write(writer: RangeWriter, size: number): Promise<void> {
    const kept = this.#bytes.bytes()
    let at = 0
    for (const i of this.#order()) {
      const offset = this.#offset(i)
      if (offset > at) {
        if (!writer.gather(at, offset - at)) await writer.copy(at, offset - at)
        at = offset
      }
      const end = this.#end(i)
      if (offset < at && end > offset) {
        at = Math.max(at, end)
        continue
      }
      writer.write(kept, this.#start(i), this.#start(i + 1))
      at = Math.max(at, end)
    }
    if (at < size) await writer.copy(at, size - at)
  }

  /** Tells all changes by their place. */
  each(visit: (offset: number, length: number, bytes: Uint8Array) => void): void {
    const kept = this.#bytes.bytes()
    for (const i of this.#order())
      visit(this.#offset(i), this.#length(i), kept.subarray(this.#start(i), this.#start(i + 1)))
  }

  /** By place; at one place what is put in comes first, in the order told, and of several stretches what was told last. */
  #order(): Uint32Array {
    const offset = (i: number): number => this.#offset(i)
    const isStretch = (i: number): number => Math.min(1, this.#length(i))
    // whoever walks over a file mostly tells them by their place
    return mergedOrder(
      this.#count,
      (a, b) => offset(a) - offset(b) || isStretch(a) - isStretch(b) || (isStretch(a) ? b - a : a - b),
    )
  }

  #offset(i: number): number {
    return this.#pieces[i >> PIECE_BITS].offset[i & WITHIN]
  }

  #length(i: number): number {
    return this.#pieces[i >> PIECE_BITS].length[i & WITHIN]
  }

  #end(i: number): number {
    return this.#offset(i) + this.#length(i)
  }

  #start(i: number): number {
    return i < this.#count ? this.#pieces[i >> PIECE_BITS].start[i & WITHIN] : this.#bytes.length
  }
}

const NOTHING = new Uint8Array(0)
