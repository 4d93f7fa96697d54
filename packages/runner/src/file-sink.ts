import { ftruncateSync, write, writeSync } from 'node:fs'
import type { ByteSource, EnvironmentError, SeekableSink } from '@mendframe/engine'
import { COPY_BYTES } from './copier.ts'
import type { CopyOrder } from './copy-order.ts'
import { environmentError } from './errors.ts'
import type { Stretch } from './zero-watch.ts'

/** Bytes gathered before a system call. */
const CHUNK_BYTES = COPY_BYTES
/** Buffers under way at once: what the disk's thread does between two turns of the engine's. */
const BUFFERS = 32

/** Somebody who copies to the sink's file from one source. */
export interface CopyService {
  readonly source: ByteSource
  /** Where it copies the source to without being told, until `hold`: the first byte's offset. */
  readonly lead?: number
  /** Takes an order; `FileSink.copied` tells the sink what is done. */
  order(order: CopyOrder): void
  /** Takes what is likely to be ordered; it may copy that, until `hold`. */
  foretell?(order: CopyOrder): void
  /** Asks that nothing be copied without an order any more; `FileSink.held` tells the sink that it is so. */
  hold(): void
}

/**
 * A file as the engine's sink, through an open descriptor of a regular file. Full buffers are written in the background; what
 * fails there is thrown by the next call. What is to be copied from another file is left to `copies`. Call `end` at the end.
 */
export class FileSink implements SeekableSink {
  position = 0
  /** Bytes ordered or written so far that the system has not taken yet, those being gathered apart. */
  pending = 0
  zeros: Stretch[] | undefined = []
  readonly #descriptor: number
  readonly #label: string
  readonly #copies: CopyService | undefined
  /** Something may be copied without being ordered. */
  #goesAhead: boolean
  #holding: { readonly done: Promise<void>; readonly resolve: () => void } | undefined
  readonly #spare: Uint8Array[] = []
  #made = 1
  #buffer: Uint8Array = new Uint8Array(CHUNK_BYTES)
  #used = 0
  #error: EnvironmentError | undefined
  #waiting: { most: number; resolve: () => void; reject: (error: EnvironmentError) => void }[] = []

  constructor(descriptor: number, label: string, copies?: CopyService) {
    this.#descriptor = descriptor
    this.#label = label
    this.#copies = copies
    this.#goesAhead = copies?.lead !== undefined
  }

  get lead(): number | undefined {
    return this.#holding ? undefined : this.#copies?.lead
  }

  hold(): Promise<void> {
    if (!this.#holding) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#holding = { done: promise, resolve }
      if (this.#copies && this.#goesAhead) this.#copies.hold()
      else resolve()
    }
    return this.#holding.done
  }

  /** Nothing is copied ahead any more. */
  held(): void {
    this.#holding?.resolve()
  }

  expect(source: ByteSource, offset: number, at: number, length: number): void {
    if (this.#holding || source !== this.#copies?.source || !this.#copies.foretell) return
    this.#goesAhead = true
    this.#copies.foretell({ from: offset, at, length })
  }

  write(bytes: Uint8Array): void {
    this.#check()
    if (this.#goesAhead && !this.#holding) throw new Error('written before copying ahead was ended')
    if (this.#used + bytes.length > CHUNK_BYTES) this.#dispatch()
    if (bytes.length >= CHUNK_BYTES) this.#writeNow(bytes, this.position)
    else {
      this.#buffer.set(bytes, this.#used)
      this.#used += bytes.length
    }
    this.position += bytes.length
  }

  copy(source: ByteSource, offset: number, length: number): boolean {
    this.#check()
    if (source !== this.#copies?.source) return false
    if (length <= 0) return true
    this.#dispatch()
    this.pending += length
    this.#copies.order({ from: offset, at: this.position, length })
    this.position += length
    return true
  }

  /** So many bytes more of those ordered are copied; the zeros seen there, undefined once they are too many. */
  copied(bytes: number, zeros: readonly Stretch[] | undefined): void {
    this.pending -= bytes
    this.zeros = zeros && this.zeros?.concat(zeros)
    this.#wake()
  }

  settled(most = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#error) reject(this.#error)
      else if (this.pending <= most) resolve()
      else this.#waiting.push({ most, resolve, reject })
    })
  }

  async seek(position: number): Promise<void> {
    this.flush()
    await this.settled()
    this.position = position
  }

  /** Hands the gathered bytes to the system. @throws EnvironmentError when it does not take them. */
  flush(): void {
    this.#check()
    this.#writeNow(this.#buffer.subarray(0, this.#used), this.position - this.#used)
    this.#used = 0
  }

  /** Waits until all is written, and cuts the file off at `position`. @throws EnvironmentError */
  async end(): Promise<void> {
    await this.hold()
    await this.seek(this.position)
    try {
      ftruncateSync(this.#descriptor, this.position)
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #check(): void {
    if (this.#error) throw this.#error
  }

  #failure(error: unknown): EnvironmentError {
    return environmentError(`cannot write ${this.#label}`, error)
  }

  /** Sends the gathered bytes off, in the background while there is a buffer to go on with. */
  #dispatch(): void {
    if (this.#used === 0) return
    const spare = this.#takeSpare()
    if (!spare) {
      this.flush()
      return
    }
    this.pending += this.#used
    this.#writeLater(this.#buffer, this.#used, this.position - this.#used)
    this.#buffer = spare
    this.#used = 0
  }

  #writeNow(bytes: Uint8Array, at: number): void {
    let done = 0
    try {
      while (done < bytes.length)
        done += writeSync(
          this.#descriptor,
          bytes,
          done,
          Math.min(CHUNK_BYTES, bytes.length - done),
          at + done,
        )
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #takeSpare(): Uint8Array | undefined {
    const spare = this.#spare.pop()
    if (spare || this.#made === BUFFERS) return spare
    this.#made++
    return new Uint8Array(CHUNK_BYTES)
  }

  #writeLater(buffer: Uint8Array, length: number, at: number): void {
    let done = 0
    const step = (): void =>
      write(this.#descriptor, buffer, done, length - done, at + done, (error, written) => {
        if (error) return this.#fail(this.#failure(error))
        done += written
        if (done < length) return step()
        this.#spare.push(buffer)
        this.pending -= length
        this.#wake()
      })
    step()
  }

  #fail(error: EnvironmentError): void {
    this.#error ??= error
    this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const waiter of waiting) {
      if (this.#error) waiter.reject(this.#error)
      else if (this.pending <= waiter.most) waiter.resolve()
      else this.#waiting.push(waiter)
    }
  }
}
