import { read, write } from 'node:fs'
import type { EnvironmentError } from '@mendframe/engine'
import { environmentError } from './errors.ts'

/**
 * Bytes that one system call copies. From a mebibyte on Linux looks for so large pages in its cache that writing takes several times
 * as long.
 */
export const COPY_BYTES = 256 * 1024
/** Buffers under way: one is read while another is written, and two wait. */
const BUFFERS = 4
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
 * Copies between two open files in the background of a process that has nothing else to do, while the engine reads on in its own: there it
 * would have to wait for the engine's pauses. Zeros stand for what lies beyond the end of the source.
 */
export class Copier {
  readonly #source: number
  readonly #target: number
  readonly #label: string
  readonly #orders: { from: number; at: number; left: number }[] = []
  readonly #spare: Uint8Array[] = []
  #made = 0
  #listener: CopyListener | undefined
  #unsaid = 0
  #stopped = false
  #underWay = 0
  #onIdle: (() => void) | undefined

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

  /** Takes an order; orders are begun in turn. Those that no file could fulfil are none. */
  add({ from, at, length }: CopyOrder): void {
    const sound = [from, at, length].every((number) => Number.isSafeInteger(number) && number >= 0)
    if (this.#stopped || !sound || !Number.isSafeInteger(at + length) || length === 0) return
    this.#orders.push({ from, at, left: length })
    this.#pump()
  }

  /** Begins nothing more. Resolves when nothing is under way, so that the files may be closed. */
  stop(): Promise<void> {
    this.#stopped = true
    this.#orders.length = 0
    return new Promise((resolve) => {
      if (this.#underWay === 0) resolve()
      else this.#onIdle = resolve
    })
  }

  #pump(): void {
    for (let order = this.#orders[0]; order; order = this.#orders[0]) {
      const buffer = this.#spare.pop() ?? this.#newBuffer()
      if (!buffer) return
      const length = Math.min(order.left, COPY_BYTES)
      const { from, at } = order
      order.from += length
      order.at += length
      order.left -= length
      if (order.left === 0) this.#orders.shift()
      this.#underWay++
      this.#fill(buffer, length, from, at, 0)
    }
  }

  #newBuffer(): Uint8Array | undefined {
    if (this.#made === BUFFERS) return undefined
    this.#made++
    return new Uint8Array(COPY_BYTES)
  }

  #fill(buffer: Uint8Array, length: number, from: number, at: number, got: number): void {
    read(this.#source, buffer, got, length - got, from + got, (error, bytes) => {
      if (error) return this.#end(buffer, 0, environmentError('cannot read the damaged file', error))
      if (bytes > 0 && got + bytes < length) return this.#fill(buffer, length, from, at, got + bytes)
      buffer.fill(0, got + bytes, length)
      this.#empty(buffer, length, at, 0)
    })
  }

  #empty(buffer: Uint8Array, length: number, at: number, done: number): void {
    write(this.#target, buffer, done, length - done, at + done, (error, bytes) => {
      if (error) return this.#end(buffer, 0, environmentError(`cannot write ${this.#label}`, error))
      if (done + bytes < length) return this.#empty(buffer, length, at, done + bytes)
      this.#end(buffer, length)
    })
  }

  #end(buffer: Uint8Array, copied: number, error?: EnvironmentError): void {
    this.#underWay--
    this.#spare.push(buffer)
    this.#unsaid += copied
    if (error && !this.#stopped) {
      this.#stopped = true
      this.#orders.length = 0
      this.#listener?.failed(error)
    }
    if (!this.#stopped) this.#pump()
    const idle = this.#underWay === 0
    if (this.#unsaid >= NOTICE_BYTES || (idle && this.#unsaid > 0)) {
      this.#listener?.done(this.#unsaid)
      this.#unsaid = 0
    }
    if (idle) this.#onIdle?.()
  }
}
