import type { Monitor } from '../model/monitor.ts'
import type { ByteReader } from './reader.ts'
import { type ByteSink, isSeekable, type SeekableSink } from './sink.ts'

/** Ranges below this are gathered rather than copied each for itself. */
export const WORTH_COPYING = 64 * 1024
/** Ranges up to this are gathered byte by byte: views of them would cost more. */
const SHORT = 64
/** Bytes gathered before they are handed on. */
const GATHERED = 1024 * 1024
/** Bytes that may be under way in the background. */
const UNDER_WAY = 64 * 1024 * 1024

/** Takes a result piece by piece. */
export type ResultWriter = Pick<RangeWriter, 'position' | 'write' | 'copy' | 'fill' | 'end'>

/**
 * Puts a result together from ranges of the damaged file and new bytes. Long ranges are handed over as such, so that a sink can
 * copy them by itself; the rest is gathered. Tells progress as a share of `total` bytes. Call `end` at the end.
 */
export class RangeWriter {
  readonly #reader: ByteReader
  readonly #sink: ByteSink
  /** The sink, where it copies from the reader's source by itself. */
  readonly #copies: SeekableSink | undefined
  readonly #monitor: Monitor
  readonly #total: number
  readonly #start: number
  readonly #gathered: Uint8Array
  #used = 0

  /** @param total bytes that are going to be written, an estimate where nobody knows. */
  constructor(reader: ByteReader, sink: ByteSink, monitor: Monitor, total: number) {
    this.#reader = reader
    this.#sink = sink
    this.#copies = isSeekable(sink) && sink.copy(reader.source, 0, 0) ? sink : undefined
    this.#monitor = monitor
    this.#total = total
    this.#start = sink.position
    this.#gathered = new Uint8Array(Math.min(GATHERED, Math.max(WORTH_COPYING, total)))
  }

  /** Bytes written and handed over so far. */
  get position(): number {
    return this.#sink.position + this.#used - this.#start
  }

  /** Appends new bytes, those of [from, to); the caller may reuse the array. @throws EnvironmentError */
  write(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const length = to - from
    if (this.#used + length > this.#gathered.length) this.#flush()
    if (length > this.#gathered.length) {
      this.#sink.write(bytes.subarray(from, to))
      return
    }
    if (length <= SHORT) for (let at = from; at < to; at++) this.#gathered[this.#used++] = bytes[at]
    else {
      this.#gathered.set(bytes.subarray(from, to), this.#used)
      this.#used += length
    }
  }

  /**
   * Appends a range of the damaged file, zeros beyond its end, where it is short and there is room for it; else says no, and it
   * has to be awaited: a million of short ranges cost a third that way.
   */
  gather(offset: number, length: number): boolean {
    if (length >= WORTH_COPYING || this.#used + length > this.#gathered.length) return false
    this.#read(offset, length)
    return true
  }

  /** Appends a range of the damaged file, zeros beyond its end. @throws EnvironmentError, AbortedError */
  async copy(offset: number, length: number): Promise<void> {
    if (length < WORTH_COPYING) {
      if (this.#used + length > this.#gathered.length) await this.#turn()
      this.#read(offset, length)
      return
    }
    for (let at = 0; at < length; ) {
      const part = Math.min(length - at, this.#copies ? UNDER_WAY / 2 : this.#gathered.length)
      await this.#turn()
      if (this.#copies) this.#copies.copy(this.#reader.source, offset + at, part)
      else this.#read(offset + at, part)
      at += part
    }
  }

  /** Appends `length` bytes of one value. @throws EnvironmentError, AbortedError */
  async fill(value: number, length: number): Promise<void> {
    for (let at = 0; at < length; ) {
      if (this.#used === this.#gathered.length) await this.#turn()
      const part = Math.min(length - at, this.#gathered.length - this.#used)
      this.#gathered.fill(value, this.#used, this.#used + part)
      this.#used += part
      at += part
    }
  }

  /** Hands on what is gathered. @throws EnvironmentError, AbortedError */
  async end(): Promise<void> {
    await this.#turn()
  }

  #read(offset: number, length: number): void {
    if (length <= SHORT) {
      for (let at = offset; at < offset + length; at++) this.#gathered[this.#used++] = this.#reader.u8(at)
      return
    }
    const part = this.#gathered.subarray(this.#used, this.#used + length)
    const got = this.#reader.copyTo(offset, part)
    if (got < length) part.fill(0, got)
    this.#used += length
  }

  #flush(): void {
    if (this.#used > 0) this.#sink.write(this.#gathered.subarray(0, this.#used))
    this.#used = 0
  }

  async #turn(): Promise<void> {
    this.#flush()
    if (this.#copies) await this.#copies.settled(UNDER_WAY)
    const done = this.position - (this.#copies?.pending ?? 0)
    this.#monitor.progress('write', Math.min(1, Math.max(0, done) / Math.max(1, this.#total)))
    await this.#monitor.pause()
  }
}
