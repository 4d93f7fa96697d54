import { MemorySource } from '../src/bytes/source.ts'

/** Bytes in memory with the search of the runtime, as files have it. */
export class SearchingSource extends MemorySource {
  calls = 0

  indexOf(bytes: Uint8Array, sought: Uint8Array, from: number): number {
    this.calls++
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(sought, from)
  }
}
