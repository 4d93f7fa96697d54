import { widened } from '../../../bytes/columns.ts'
import { LimitError } from '../../../model/errors.ts'
import { PALETTE } from './chunk-id.ts'

/** A decoder can start here. */
export const KEY = 1
/** Part of its bytes is damaged. */
export const DAMAGED = 2
/** Its header in the file is not as it should be and is written anew. */
export const REWRITTEN = 4
/** Its bytes are gone: something takes its place, or nothing does. */
export const LOST = 8
/** It takes no time: a change of the palette (AVI RIFF File Reference, Stream Data), which is no picture. */
export const NO_TIME = 16
/** Something is missing right before it. */
export const AFTER_HOLE = 32
/** The index names it, and says whether it is a key. */
export const NAMED = 64
/** The walk looked at its bytes when it had them at hand: no hole of zeros is in them, and whether it is a key is as they say. */
export const SEEN = 128

/** Rows that a table has room for at first, where nothing tells how many it will have. */
const USUAL = 1024

/** Data chunks in file order, in columns: 22 bytes a chunk, whatever the recording's length. */
export class ChunkTable {
  length = 0
  /** First byte of the payload in the file. */
  offset: Float64Array<ArrayBuffer>
  /** Bytes of the payload. */
  size: Uint32Array<ArrayBuffer>
  /** Four characters as a number. */
  id: Uint32Array<ArrayBuffer>
  stream: Uint8Array<ArrayBuffer>
  flags: Uint8Array<ArrayBuffer>
  readonly #limit: number

  /** @param expected rows that it is likely to have: room for them costs nothing until they are there, growing does. */
  constructor(limit: number, expected = USUAL) {
    this.#limit = limit
    const rows = Math.max(1, Math.min(limit, expected))
    this.offset = new Float64Array(rows)
    this.size = new Uint32Array(rows)
    this.id = new Uint32Array(rows)
    this.stream = new Uint8Array(rows)
    this.flags = new Uint8Array(rows)
  }

  /** Appends a chunk and returns its row. @throws LimitError */
  push(offset: number, size: number, id: number, stream: number, flags: number): number {
    const row = this.length
    if (row >= this.#limit) throw new LimitError(`more than ${this.#limit} chunks in one file`)
    if (row === this.offset.length) this.#grow()
    this.offset[row] = offset
    this.size[row] = size
    this.id[row] = id
    this.stream[row] = stream
    this.flags[row] = id >>> 16 === PALETTE ? flags | NO_TIME : flags
    this.length = row + 1
    return row
  }

  #grow(): void {
    const capacity = this.offset.length * 2
    this.offset = widened(this.offset, capacity)
    this.size = widened(this.size, capacity)
    this.id = widened(this.id, capacity)
    this.stream = widened(this.stream, capacity)
    this.flags = widened(this.flags, capacity)
  }
}
