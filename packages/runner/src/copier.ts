import { readSync, writeSync } from 'node:fs'
import { EnvironmentError } from '@mendframe/engine/errors'
import { environmentError } from './errors.ts'

/**
 * Bytes that one system call copies. From a mebibyte on Linux looks for so large pages in its cache that writing takes several times
 * as long.
 */
export const COPY_BYTES = 256 * 1024
/** Milliseconds of copying between two looks at everything else. */
const SLICE = 5
/** Bytes copied between two notices. */
const NOTICE_BYTES = 8 * 1024 * 1024

/** Bytes of one file to be copied to a place in another. */
export interface CopyOrder {
  readonly from: number
  readonly at: number
  readonly length: number
}

/** What comes of the orders. */
export interface CopyListener {
  /** So many bytes more are copied. */
  done(bytes: number): void
  /** Called once; nothing is copied any more. */
  failed(error: EnvironmentError): void
}

/**
 * Copies between two open files in our own process, while the engine reads on in its. It does so at once and in turn, a few milliseconds
 * at a time between which all else goes on: handing every piece to a thread takes two to three times as long. Zeros stand for what lies
 * beyond the end of the source.
 */
export class Copier {
  readonly #source: number
  readonly #target: number
  readonly #label: string
  readonly #orders: { from: number; at: number; left: number }[] = []
  readonly #buffer = new Uint8Array(COPY_BYTES)
  #listener: CopyListener | undefined
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

  /** Takes an order; orders are done in turn. Those that no file could fulfil are none. */
  add({ from, at, length }: CopyOrder): void {
    const sound = [from, at, length].every((number) => Number.isSafeInteger(number) && number >= 0)
    if (this.#stopped || !sound || !Number.isSafeInteger(at + length) || length === 0) return
    this.#orders.push({ from, at, left: length })
    this.#turn ??= setImmediate(() => this.#work())
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
      for (let order = this.#orders[0]; order && performance.now() < end; order = this.#orders[0]) {
        const length = Math.min(order.left, COPY_BYTES)
        this.#fill(order.from, length)
        this.#empty(order.at, length)
        order.from += length
        order.at += length
        order.left -= length
        if (order.left === 0) this.#orders.shift()
        this.#unsaid += length
      }
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error
      this.stop()
      this.#listener?.failed(error)
      return
    }
    const idle = this.#orders.length === 0
    this.#turn = idle ? undefined : setImmediate(() => this.#work())
    if (this.#unsaid < NOTICE_BYTES && !idle) return
    const copied = this.#unsaid
    this.#unsaid = 0
    this.#listener?.done(copied)
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
