import type { Monitor } from '../model/monitor.ts'
import { RangeWriter } from './range-writer.ts'
import type { ByteReader } from './reader.ts'
import type { ByteSink } from './sink.ts'

type Part =
  | { readonly bytes: Uint8Array }
  | { readonly from: number; readonly length: number }
  | { readonly fill: number; readonly length: number }

/**
 * A result put together front to back: new bytes, stretches of the damaged file, and stretches of one value where nothing
 * survives.
 */
export class Splice {
  readonly #parts: Part[] = []
  #size = 0

  /** Bytes put together so far. */
  get size(): number {
    return this.#size
  }

  /** Appends new bytes. @returns where they begin in the result. */
  bytes(bytes: Uint8Array): number {
    return this.#add({ bytes }, bytes.length)
  }

  /** Appends a stretch of the damaged file; zeros where it ends early. @returns where it begins in the result. */
  copy(from: number, length: number): number {
    return this.#add({ from, length }, length)
  }

  /** Appends so many bytes of one value. @returns where they begin in the result. */
  fill(fill: number, length: number): number {
    return this.#add({ fill, length }, length)
  }

  /** Writes the result. @throws EnvironmentError, AbortedError */
  async write(reader: ByteReader, sink: ByteSink, monitor: Monitor): Promise<void> {
    const writer = new RangeWriter(reader, sink, monitor, this.#size)
    for (const part of this.#parts) {
      if ('bytes' in part) writer.write(part.bytes)
      else if ('fill' in part) await writer.fill(part.fill, part.length)
      else await writer.copy(part.from, part.length)
    }
    await writer.end()
  }

  #add(part: Part, length: number): number {
    const at = this.#size
    if (length > 0) this.#parts.push(part)
    this.#size += Math.max(0, length)
    return at
  }
}
