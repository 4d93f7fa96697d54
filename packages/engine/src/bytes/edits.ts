import { LimitError } from '../model/errors.ts'
import { roomFor, widened } from './columns.ts'
import type { Foresight } from './foresight.ts'
import { mergedOrder } from './merged-order.ts'
import type { RangeWriter } from './range-writer.ts'

/** Changes kept at most: a file that needs more is none that was damaged. */
const MOST_EDITS = 4_000_000
const FIRST_ROOM = 256

/**
 * A result told by how it differs from the damaged file: stretches that are left out or replaced, and bytes put in between. Told
 * in any order; of two that begin at one place the later counts. A stretch that begins in another is skipped; bytes put in are
 * never.
 */
export class Edits {
  #count = 0
  #offset = new Float64Array(FIRST_ROOM)
  #length = new Float64Array(FIRST_ROOM)
  /** Where each one's bytes begin in `#bytes`. */
  #start = new Float64Array(FIRST_ROOM)
  #size = new Uint32Array(FIRST_ROOM)
  #bytes = new Uint8Array(FIRST_ROOM)
  #used = 0
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
    if (last >= 0 && this.#size[last] === 0 && this.#offset[last] + this.#length[last] === offset) {
      this.#length[last] += length
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
    if (this.#count === this.#offset.length) this.#grow()
    this.#offset[this.#count] = offset
    this.#length[this.#count] = length
    this.#start[this.#count] = this.#used
    this.#size[this.#count] = bytes.length
    this.#keep(bytes)
    this.#growth += bytes.length - length
    this.#count++
  }

  /** Whoever walks over the file tells how far the changes are known. */
  reached(offset: number): void {
    this.#foresight?.reached(offset, this.#growth)
  }

  /** Writes the first `size` bytes of the damaged file with all changes. @throws EnvironmentError, AbortedError */
  async write(writer: RangeWriter, size: number): Promise<void> {
    let at = 0
    for (const i of this.#order()) {
      const offset = this.#offset[i]
      if (offset > at) {
        await writer.copy(at, offset - at)
        at = offset
      }
      const end = offset + this.#length[i]
      if (offset < at && end > offset) {
        at = Math.max(at, end)
        continue
      }
      if (this.#size[i] > 0)
        writer.write(this.#bytes.subarray(this.#start[i], this.#start[i] + this.#size[i]))
      at = Math.max(at, end)
    }
    if (at < size) await writer.copy(at, size - at)
  }

  /** Tells all changes by their place. */
  each(visit: (offset: number, length: number, bytes: Uint8Array) => void): void {
    for (const i of this.#order())
      visit(
        this.#offset[i],
        this.#length[i],
        this.#bytes.subarray(this.#start[i], this.#start[i] + this.#size[i]),
      )
  }

  /** By place; at one place what is put in comes first, in the order told, and of several stretches what was told last. */
  #order(): Uint32Array {
    const offset = this.#offset
    const length = this.#length
    const isStretch = (i: number): number => Math.min(1, length[i])
    // whoever walks over a file mostly tells them by their place
    return mergedOrder(
      this.#count,
      (a, b) => offset[a] - offset[b] || isStretch(a) - isStretch(b) || (isStretch(a) ? b - a : a - b),
    )
  }

  #keep(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#bytes.length) {
      const wider = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + bytes.length))
      wider.set(this.#bytes.subarray(0, this.#used))
      this.#bytes = wider
    }
    this.#bytes.set(bytes, this.#used)
    this.#used += bytes.length
  }

  #grow(): void {
    const capacity = roomFor(this.#count, MOST_EDITS, 0, 0)
    this.#offset = widened(this.#offset, capacity)
    this.#length = widened(this.#length, capacity)
    this.#start = widened(this.#start, capacity)
    this.#size = widened(this.#size, capacity)
  }
}

const NOTHING = new Uint8Array(0)
