import type { ByteRange } from '@mendframe/renderer'
import { randomFrom } from '../media/random.ts'

/** A damaged copy of a healthy file, and which of the healthy file's bytes it no longer holds in one piece. */
export interface Damaged {
  readonly bytes: Buffer
  /**
   * Ranges of the healthy file. An empty range marks a place where something was put in: a packet around it is torn.
   */
  readonly lost: readonly ByteRange[]
}

/** One way a file gets damaged. */
export interface Damage {
  readonly about: string
  /** False for recordings it makes no sense for; `container` as the library that writes it calls it. */
  applies(container: string, bytes: Buffer): boolean
  /** Needs a second recording of the same settings. */
  readonly needsOther?: true
  /** Damages a copy. `other` is that recording, empty where it is not needed. */
  apply(bytes: Buffer, seed: number, other: Buffer): Damaged
}

/** Damages by name. */
export type Damages = Readonly<Record<string, Damage>>

/**
 * A copy that is damaged step by step; every step takes offsets of the healthy file, whatever was cut before.
 * Steps that change the length come after steps that overwrite.
 */
export class DamageRecorder {
  readonly #random: () => number
  readonly #bytes: Buffer
  readonly #lost: ByteRange[] = []
  #cuts: { readonly start: number; readonly end: number; readonly insert: Buffer }[] = []

  constructor(healthy: Buffer, seed: number) {
    this.#bytes = Buffer.from(healthy)
    this.#random = randomFrom(seed)
  }

  get size(): number {
    return this.#bytes.length
  }

  /** A number in [0, below). */
  pick(below: number): number {
    return Math.floor(this.#random() * below)
  }

  zero(start: number, end: number): this {
    this.#bytes.fill(0, Math.min(start, this.size), Math.min(end, this.size))
    return this.lose(start, end)
  }

  scramble(start: number, end: number): this {
    for (let at = start; at < Math.min(end, this.size); at++) this.#bytes[at] = this.pick(256)
    return this.lose(start, end)
  }

  /** Flips single bits at random places of a range. */
  flip(count: number, start: number, end: number): this {
    for (let done = 0; done < count; done++) {
      const at = start + this.pick(end - start)
      this.#bytes[at] = (this.#bytes[at] ?? 0) ^ (1 << this.pick(8))
      this.lose(at, at + 1)
    }
    return this
  }

  /** Overwrites a field. */
  put(at: number, value: Buffer): this {
    value.copy(this.#bytes, at)
    return this.lose(at, at + value.length)
  }

  /** Overwrites a field around the payload, which is all there as before. */
  alter(at: number, value: Buffer): this {
    value.copy(this.#bytes, at)
    return this
  }

  /** Takes bytes out; what follows moves to the front. */
  remove(start: number, end: number): this {
    this.#cuts.push({ start, end, insert: Buffer.alloc(0) })
    return this.lose(start, end)
  }

  /** Puts random bytes in; what follows moves to the back. */
  insert(at: number, length: number): this {
    const insert = Buffer.from(Array.from({ length }, () => this.pick(256)))
    this.#cuts.push({ start: at, end: at, insert })
    return this.lose(at, at)
  }

  append(bytes: Buffer): this {
    this.#cuts.push({ start: this.size, end: this.size, insert: bytes })
    return this
  }

  lose(start: number, end: number): this {
    this.#lost.push({ start, end })
    return this
  }

  finish(): Damaged {
    const parts: Buffer[] = []
    let at = 0
    for (const { start, end, insert } of this.#cuts.sort((a, b) => a.start - b.start)) {
      if (start > at) parts.push(this.#bytes.subarray(at, start))
      parts.push(insert)
      at = Math.max(at, end)
    }
    parts.push(this.#bytes.subarray(at))
    return { bytes: Buffer.concat(parts), lost: this.#lost }
  }
}
