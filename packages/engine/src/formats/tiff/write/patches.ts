import { RangeWriter } from '../../../bytes/range-writer.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { ByteSink } from '../../../bytes/sink.ts'
import type { Monitor } from '../../../model/monitor.ts'

/** Changes of a file: bytes in place of others, bytes behind. Everything else stays as it is. */
export class Patches {
  readonly #reader: ByteReader
  readonly #changed: { at: number; bytes: Uint8Array }[] = []
  readonly #behind: Uint8Array[] = []
  /** Bytes put behind the file, before what is appended. */
  padding = 0
  /** What they are. */
  filling = 0
  #appended = 0

  constructor(reader: ByteReader) {
    this.#reader = reader
  }

  get any(): boolean {
    return this.#changed.length > 0 || this.#behind.length > 0 || this.padding > 0
  }

  /** Bytes of the result. */
  get size(): number {
    return this.#reader.size + this.padding + this.#appended
  }

  /** Puts bytes at an offset, in place of what is there. Those put later win where two overlap. */
  put(at: number, bytes: Uint8Array): void {
    if (bytes.length > 0) this.#changed.push({ at, bytes })
  }

  /** Appends bytes at an even offset of the result, and returns it. `padding` must be final by then. */
  append(bytes: Uint8Array): number {
    if (this.size % 2 === 1) {
      this.#behind.push(new Uint8Array(1))
      this.#appended++
    }
    const at = this.size
    this.#behind.push(bytes)
    this.#appended += bytes.length
    return at
  }

  /** Writes the result. @throws EnvironmentError, AbortedError */
  async write(sink: ByteSink, monitor: Monitor): Promise<void> {
    const writer = new RangeWriter(this.#reader, sink, monitor, this.size)
    const body = this.#reader.size + this.padding
    let at = 0
    for (const { at: start, bytes } of merged(this.#changed)) {
      await this.#copy(writer, at, Math.min(start, body))
      writer.write(bytes.subarray(0, Math.max(0, body - start)))
      at = Math.min(body, start + bytes.length)
    }
    await this.#copy(writer, at, body)
    for (const bytes of this.#behind) writer.write(bytes)
    await writer.end()
  }

  async #copy(writer: RangeWriter, from: number, to: number): Promise<void> {
    const end = Math.min(to, this.#reader.size)
    if (end > from) await writer.copy(from, end - from)
    if (to > end) await writer.fill(this.filling, to - Math.max(from, end))
  }
}

/** The changes in rising order without overlaps; a later one wins. */
function merged(changes: readonly { at: number; bytes: Uint8Array }[]): { at: number; bytes: Uint8Array }[] {
  const sorted = changes
    .map((change, order) => ({ ...change, order }))
    .sort((a, b) => a.at - b.at || a.order - b.order)
  const result: { at: number; bytes: Uint8Array; order: number }[] = []
  for (const change of sorted) {
    const last = result.at(-1)
    if (!last || last.at + last.bytes.length <= change.at) {
      result.push(change)
      continue
    }
    const end = Math.max(last.at + last.bytes.length, change.at + change.bytes.length)
    const joined = new Uint8Array(end - last.at)
    const both = last.order < change.order ? [last, change] : [change, last]
    for (const { at, bytes } of both) joined.set(bytes, at - last.at)
    result[result.length - 1] = { at: last.at, bytes: joined, order: Math.max(last.order, change.order) }
  }
  return result
}
