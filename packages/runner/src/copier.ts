import { readSync, writeSync } from 'node:fs'
import { EnvironmentError } from '@mendframe/engine/errors'
import type { CopyOrder } from './copy-order.ts'
import { environmentError } from './errors.ts'
import { Foretold } from './foretold.ts'
import { type Stretch, ZeroWatch } from './zero-watch.ts'

/**
 * Bytes that one system call copies. From a mebibyte on Linux looks for so large pages in its cache that writing takes several
 * times as long.
 */
export const COPY_BYTES = 256 * 1024
/** Milliseconds of copying between two looks at everything else. */
const SLICE = 5
/** Bytes copied between two notices. */
const NOTICE_BYTES = 8 * 1024 * 1024

/** What comes of the orders. */
export interface CopyListener {
  /**
   * So many bytes more are copied; stretches of zeros in the source seen since the last call, undefined once they are too many.
   */
  done(bytes: number, zeros: readonly Stretch[] | undefined): void
  /** Called once; nothing is copied any more. */
  failed(error: EnvironmentError): void
}

/**
 * Copies between two open files in our own process, while the engine reads on in its. It does so at once and in turn, a few
 * milliseconds at a time between which all else goes on: handing every piece to a thread takes two to three times as long. Zeros
 * stand for what lies beyond the end of the source.
 */
export class Copier {
  readonly #source: number
  readonly #target: number
  readonly #label: string
  readonly #orders: { from: number; at: number; left: number }[] = []
  readonly #buffer = new Uint8Array(COPY_BYTES)
  readonly #zeros = new ZeroWatch()
  #listener: CopyListener | undefined
  #foretold: Foretold | undefined
  /** Where all of the source is copied to because nothing is foretold. */
  #lead: number | undefined
  #goesAhead = true
  #isOrdered = false
  #unsaid = 0
  #stopped = false
  #turn: NodeJS.Immediate | undefined

  /** Descriptors; `label` names the target in errors. */
  constructor(source: number, target: number, label: string) {
    this.#source = source
    this.#target = target
    this.#label = label
  }

  /** Who is told of the orders that follow. */
  listen(listener: CopyListener): void {
    this.#listener = listener
  }

  /**
   * Copies the first `length` bytes of the source to `lead` in the target while nothing is ordered: orders that agree with it
   * find their bytes done. It ends with `hold`, with the first order that does not agree, with what is foretold otherwise, and
   * where it fails: nobody has asked for these bytes yet.
   */
  ahead(lead: number, length: number): void {
    this.#lead = lead
    this.#foretold = new Foretold()
    this.#foretold.add({ from: 0, at: lead, length })
    this.#turn ??= setImmediate(() => this.#work())
  }

  /**
   * Copies a stretch that is likely to be ordered, as `ahead` does. Stretches are told in the order of their places in the
   * target.
   */
  foretell(order: CopyOrder): void {
    if (this.#stopped || !this.#goesAhead || !isSound(order)) return
    // that is being done
    if (this.#lead === order.at - order.from) return
    if (!this.#foretold || this.#lead !== undefined) this.#foretold = new Foretold()
    this.#lead = undefined
    this.#foretold.add(order)
    this.#turn ??= setImmediate(() => this.#work())
  }

  /** Copies no more than what is ordered. */
  hold(): void {
    this.#goesAhead = false
  }

  /** Takes an order; orders are done in turn. Those that no file could fulfil are none. */
  add(order: CopyOrder): void {
    if (this.#stopped || !isSound(order)) return
    const { from, at, length } = order
    this.#isOrdered = true
    this.#orders.push({ from, at, left: length })
    this.#turn ??= setImmediate(() => this.#work())
  }

  /**
   * Takes the order to copy the first `length` bytes of the source to where they are in it, in the place of all others. What was
   * copied ahead serves as long as nothing was ordered and nobody asked to hold: who did may have written into the target.
   */
  addAll(length: number): void {
    if (this.#isOrdered || !this.#goesAhead) this.#foretold = undefined
    this.#orders.length = 0
    this.#unsaid = 0
    this.add({ from: 0, at: 0, length })
  }

  /** Copies nothing more: the files may be closed. */
  stop(): void {
    this.#stopped = true
    this.#orders.length = 0
    clearImmediate(this.#turn)
  }

  #work(): void {
    const end = performance.now() + SLICE
    try {
      while (performance.now() < end && (this.#obey() || this.#goAhead())) {}
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error
      this.stop()
      this.#listener?.failed(error)
      return
    }
    const idle = this.#orders.length === 0
    this.#turn = idle && !this.#next() ? undefined : setImmediate(() => this.#work())
    if (this.#unsaid === 0 || (this.#unsaid < NOTICE_BYTES && !idle)) return
    const copied = this.#unsaid
    this.#unsaid = 0
    this.#listener?.done(copied, this.#zeros.take())
  }

  /** Does a part of the first order. False when there is none. */
  #obey(): boolean {
    const order = this.#orders[0]
    if (!order) return false
    const there = this.#there(order)
    const length = there > 0 ? there : Math.min(order.left, COPY_BYTES)
    if (there === 0) this.#copy({ from: order.from, at: order.at, length })
    order.from += length
    order.at += length
    order.left -= length
    if (order.left === 0) this.#orders.shift()
    this.#unsaid += length
    return true
  }

  /** Bytes at the start of an order that were copied ahead. One that wants them elsewhere ends that. */
  #there({ from, at, left }: { readonly from: number; readonly at: number; readonly left: number }): number {
    const there = this.#foretold?.there({ from, at, length: left })
    if (there === undefined) this.hold()
    return there ?? 0
  }

  /** What is to be copied that nobody has ordered yet. */
  #next(): CopyOrder | undefined {
    return this.#goesAhead ? this.#foretold?.next(COPY_BYTES) : undefined
  }

  /** Copies what nobody has ordered yet. False when there is nothing to. */
  #goAhead(): boolean {
    const next = this.#next()
    if (!next) return false
    try {
      this.#copy(next)
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error
      // A disk that is full, or bytes that cannot be read, matter once they are ordered.
      this.#foretold = undefined
      this.hold()
    }
    return true
  }

  #copy(order: CopyOrder): void {
    this.#fill(order.from, order.length)
    this.#empty(order.at, order.length)
    this.#foretold?.copied(order)
  }

  #fill(from: number, length: number): void {
    let got = 0
    try {
      while (got < length) {
        const bytes = readSync(this.#source, this.#buffer, got, length - got, from + got)
        if (bytes === 0) break
        got += bytes
      }
    } catch (error) {
      throw environmentError('cannot read the damaged file', error)
    }
    this.#zeros.see(this.#buffer.subarray(0, got), from)
    this.#buffer.fill(0, got, length)
  }

  #empty(at: number, length: number): void {
    try {
      for (let done = 0; done < length; )
        done += writeSync(this.#target, this.#buffer, done, length - done, at + done)
    } catch (error) {
      throw environmentError(`cannot write ${this.#label}`, error)
    }
  }
}

/** Whether some file could fulfil an order. */
function isSound({ from, at, length }: CopyOrder): boolean {
  const sound = [from, at, length].every((number) => Number.isSafeInteger(number) && number >= 0)
  return sound && Number.isSafeInteger(at + length) && length > 0
}
