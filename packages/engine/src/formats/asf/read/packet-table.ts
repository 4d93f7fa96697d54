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

/** Payloads in file order: 38 bytes each. */
export class PayloadTable {
  length = 0
  offset = new Float64Array(1024)
  /** Bytes of its header, and of the length at that one's end. */
  header = new Uint32Array(1024)
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

  /** Payloads [from, to) in a table of their own, but for headers of their own. */
  part(from: number, to: number): PayloadTable {
    const part = new PayloadTable(this.#limit)
    part.length = to - from
    part.offset = this.offset.slice(from, to)
    part.header = this.header.slice(from, to)
    part.lengthField = this.lengthField.slice(from, to)
    part.size = this.size.slice(from, to)
    part.stream = this.stream.slice(from, to)
    part.flags = this.flags.slice(from, to)
    part.number = this.number.slice(from, to)
    part.position = this.position.slice(from, to)
    part.objectSize = this.objectSize.slice(from, to)
    part.time = this.time.slice(from, to)
    return part
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

  /** Packets [from, to) in a table of their own. The first of their payloads, `shift`, is number 0 there. */
  part(from: number, to: number): { readonly packets: PacketTable; readonly shift: number } {
    const packets = new PacketTable()
    const shift = this.first[from]
    packets.length = to - from
    packets.offset = this.offset.slice(from, to)
    packets.size = this.size.slice(from, to)
    packets.first = this.first.slice(from, to).map((first) => first - shift)
    packets.sendTime = this.sendTime.slice(from, to)
    packets.duration = this.duration.slice(from, to)
    packets.flags = this.flags.slice(from, to)
    packets.properties = this.properties.slice(from, to)
    return { packets, shift }
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
