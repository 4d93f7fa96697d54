import type { Foresight } from '../../../bytes/foresight.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { readMetadata } from '../metadata/read.ts'
import type { TagTable } from '../read/tag-table.ts'
import { firstTagAt, metadataRoom, tagSize } from './write.ts'

/**
 * Tells while tags are found where they come to lie in the result of a large file, whose metadata take the room kept for them.
 */
export class TagWatch {
  readonly #reader: ByteReader
  readonly #foresight: Foresight
  readonly #room: number
  /** Rows that are told. */
  #told = 0
  /** The row of the file's own metadata, which are written anew. */
  #metadata: number | undefined
  /** Where the tag behind those that are told begins in the result. */
  #place = 0
  /** Where the last one told ends in the file, and how much farther back it lies in the result. */
  #end = 0
  #growth = 0

  constructor(reader: ByteReader, foresight: Foresight) {
    this.#reader = reader
    this.#foresight = foresight
    this.#room = metadataRoom(reader.size)
  }

  /** All tags of the table are found. */
  walked(table: TagTable): void {
    if (this.#room === 0 || table.length === this.#told) return
    if (this.#told === 0) {
      this.#metadata = readMetadata(this.#reader, table)?.row
      this.#place = firstTagAt(this.#room)
    }
    for (let row = this.#told; row < table.length; row++) {
      if (row === this.#metadata) continue
      const from = table.offset[row]
      const growth = this.#place - from
      // a torn tag ends before it says
      if (growth !== this.#growth) this.#foresight.changed(Math.min(this.#end, from), from, growth)
      this.#growth = growth
      this.#place += tagSize(table.size[row])
      this.#end = table.end(row)
    }
    this.#told = table.length
    this.#foresight.reached(this.#end, this.#growth)
  }
}
