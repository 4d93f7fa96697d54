import type { HuffmanSpec } from '../../syntax/jpeg-markers/huffman.ts'
import { decodingTable } from './huffman-table.ts'

/** Huffman tables in force at a scan, by their numbers. */
export class HuffmanTables {
  readonly #specs: (HuffmanSpec | undefined)[] = []
  readonly #decoding = new Map<HuffmanSpec, Uint16Array>()

  /** Puts tables in force in place of those of their kind and number. */
  define(specs: readonly HuffmanSpec[]): void {
    for (const spec of specs) this.#specs[spec.kind * 4 + spec.id] = spec
  }

  copy(): HuffmanTables {
    const copy = new HuffmanTables()
    copy.define(this.all())
    return copy
  }

  all(): HuffmanSpec[] {
    return this.#specs.filter((spec) => spec !== undefined)
  }

  spec(kind: 0 | 1, id: number): HuffmanSpec | undefined {
    return this.#specs[kind * 4 + id]
  }

  /** A table to decode with, undefined when there is none of that number. */
  decoding(kind: 0 | 1, id: number): Uint16Array | undefined {
    const spec = this.spec(kind, id)
    if (!spec) return undefined
    let table = this.#decoding.get(spec)
    if (!table) {
      table = decodingTable(spec)
      this.#decoding.set(spec, table)
    }
    return table
  }
}
