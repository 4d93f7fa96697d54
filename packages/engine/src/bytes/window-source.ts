import type { ByteSource } from './source.ts'

/** A stretch of another source as a source of its own. */
export class WindowSource implements ByteSource {
  readonly size: number
  readonly #source: ByteSource
  readonly #offset: number

  /** The part of [offset, offset + length) that lies in the source. */
  constructor(source: ByteSource, offset: number, length: number) {
    this.#source = source
    this.#offset = Math.min(Math.max(0, offset), source.size)
    this.size = Math.max(0, Math.min(length, source.size - this.#offset))
  }

  read(offset: number, target: Uint8Array): number {
    const from = Math.min(Math.max(offset, 0), this.size)
    const length = Math.min(target.length, this.size - from)
    return length === 0 ? 0 : this.#source.read(this.#offset + from, target.subarray(0, length))
  }
}
