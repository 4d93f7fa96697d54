import { widened } from '../../../bytes/columns.ts'
import { LimitError } from '../../../model/errors.ts'
import type { Payload } from './packet.ts'

/** Bits of `PayloadTable.flags`. */
export const KEY = 1
/** Several whole objects in one payload. */
export const COMPRESSED = 2
/** Left out. */
export const DROPPED = 4
/** First payload of a media object that is there as a whole. */
export const OBJECT_START = 8
/** Whether it holds zeros is known, and it does. */
export const LOOKED_AT = 16
export const ZEROS = 32

/** Bits of `PacketTable.flags`: it is written anew with those of its payloads that are kept. */
export const REWRITTEN = 1
/** Something was lost right before it. */
export const AFTER_HOLE = 2

/** Payloads in file order: 35 bytes each. */
export class PayloadTable {
  length = 0
  offset = new Float64Array(1024)
  /** Bytes of its header, and of the length at that one's end. */
  header = new Uint8Array(1024)
  lengthField = new Uint8Array(1024)
  size = new Uint32Array(1024)
  stream = new Uint8Array(1024)
  flags = new Uint8Array(1024)
  number = new Uint32Array(1024)
  position = new Uint32Array(1024)
  objectSize = new Uint32Array(1024)
  time = new Uint32Array(1024)
  /** Headers, with their length, that are not as they stand in the file. */
  readonly headers = new Map<number, Uint8Array>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @throws LimitError past the limit of payloads. */
  push(payload: Payload, lengthField: number): number {
    const row = this.length
    if (row >= this.#limit) throw new LimitError(`more than ${this.#limit} payloads`)
    if (row === this.offset.length) this.#grow()
    this.offset[row] = payload.offset
    this.header[row] = payload.data - payload.offset
    this.lengthField[row] = lengthField
    this.size[row] = payload.length
    this.stream[row] = payload.stream
    this.flags[row] = (payload.key ? KEY : 0) | (payload.compressed ? COMPRESSED : 0)
    this.number[row] = payload.number
    this.position[row] = payload.position
    this.objectSize[row] = payload.size
    this.time[row] = payload.time
    this.length = row + 1
    return row
  }

  /** A payload ends earlier than it says: what was seen in it may lie behind. */
  shorten(row: number, size: number): void {
    this.size[row] = size
    this.flags[row] &= ~(LOOKED_AT | ZEROS)
  }

  #grow(): void {
    const capacity = this.offset.length * 2
    this.offset = widened(this.offset, capacity)
    this.header = widened(this.header, capacity)
    this.lengthField = widened(this.lengthField, capacity)
    this.size = widened(this.size, capacity)
    this.stream = widened(this.stream, capacity)
    this.flags = widened(this.flags, capacity)
    this.number = widened(this.number, capacity)
    this.position = widened(this.position, capacity)
    this.objectSize = widened(this.objectSize, capacity)
    this.time = widened(this.time, capacity)
  }
}

/** Packets in file order, each with the first of its payloads. */
export class PacketTable {
  length = 0
  offset = new Float64Array(1024)
  size = new Uint32Array(1024)
  first = new Uint32Array(1024)
  sendTime = new Uint32Array(1024)
  duration = new Uint16Array(1024)
  flags = new Uint8Array(1024)
  /** Property flags, which tell how long the fields of payload headers are. */
  properties = new Uint8Array(1024)
  push(
    offset: number,
    size: number,
    first: number,
    sendTime: number,
    duration: number,
    flags: number,
    properties: number,
  ): number {
    const row = this.length
    if (row === this.offset.length) this.#grow()
    this.offset[row] = offset
    this.size[row] = size
    this.first[row] = first
    this.sendTime[row] = sendTime
    this.duration[row] = duration
    this.flags[row] = flags
    this.properties[row] = properties
    this.length = row + 1
    return row
  }

  #grow(): void {
    const capacity = this.offset.length * 2
    this.offset = widened(this.offset, capacity)
    this.size = widened(this.size, capacity)
    this.first = widened(this.first, capacity)
    this.sendTime = widened(this.sendTime, capacity)
    this.duration = widened(this.duration, capacity)
    this.flags = widened(this.flags, capacity)
    this.properties = widened(this.properties, capacity)
  }
}
