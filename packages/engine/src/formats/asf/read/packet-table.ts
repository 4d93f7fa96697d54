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

/** Bits of `PacketTable.flags`: it is written anew with those of its payloads that are kept. */
export const REWRITTEN = 1
/** Something was lost right before it. */
export const AFTER_HOLE = 2

type Column = Float64Array | Uint32Array | Uint16Array | Uint8Array

function wider<T extends Column>(into: T, from: T): T {
  into.set(from)
  return into
}

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

  #grow(): void {
    const capacity = this.offset.length * 2
    this.offset = wider(new Float64Array(capacity), this.offset)
    this.header = wider(new Uint8Array(capacity), this.header)
    this.lengthField = wider(new Uint8Array(capacity), this.lengthField)
    this.size = wider(new Uint32Array(capacity), this.size)
    this.stream = wider(new Uint8Array(capacity), this.stream)
    this.flags = wider(new Uint8Array(capacity), this.flags)
    this.number = wider(new Uint32Array(capacity), this.number)
    this.position = wider(new Uint32Array(capacity), this.position)
    this.objectSize = wider(new Uint32Array(capacity), this.objectSize)
    this.time = wider(new Uint32Array(capacity), this.time)
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
    this.offset = wider(new Float64Array(capacity), this.offset)
    this.size = wider(new Uint32Array(capacity), this.size)
    this.first = wider(new Uint32Array(capacity), this.first)
    this.sendTime = wider(new Uint32Array(capacity), this.sendTime)
    this.duration = wider(new Uint16Array(capacity), this.duration)
    this.flags = wider(new Uint8Array(capacity), this.flags)
    this.properties = wider(new Uint8Array(capacity), this.properties)
  }
}
