import type { ByteReader } from '../../../bytes/reader.ts'
import { FIELD_BYTES } from '../read/packet.ts'
import {
  AFTER_HOLE,
  COMPRESSED,
  type PacketTable,
  type PayloadTable,
  REWRITTEN,
} from '../read/packet-table.ts'

/** Streams are numbered from 1 to 127. */
const MOST_STREAMS = 128
/** Numbers of objects begin anew behind this one, with fields of one byte. */
const LAST_NUMBER = 255

/** What a payload says of its media object. */
interface Fields {
  readonly number?: number
  readonly position?: number
  readonly size?: number
  readonly time?: number
}

/** The object a stream is at. */
interface Current {
  number: number
  size: number
  time: number
  filled: number
}

/**
 * Puts payloads right that do not agree with those of their stream around them in one field, or in more where the next one goes
 * on from them: of an object's parts all tell its number, size and time, and each where it belongs. Returns how many there are.
 */
export function mendObjects(reader: ByteReader, packets: PacketTable, payloads: PayloadTable): number {
  const nexts = nextOfStream(payloads)
  const streams: (Current | undefined)[] = new Array(MOST_STREAMS).fill(undefined)
  let mended = 0
  for (let row = 0; row < payloads.length; row++) {
    if (payloads.flags[row] & COMPRESSED) continue
    const stream = payloads.stream[row]
    const current = streams[stream]
    if (current && current.filled < current.size && agrees(payloads, row, current)) {
      current.filled += payloads.size[row]
      continue
    }
    const next = goesOn(packets, row, nexts[row]) ? nexts[row] : row
    const fields = disagreeing(payloads, row, next, nexts[next], current)
    // what was found in damage is as it is said there, or not at all
    if (fields && (packets.flags[packetOf(packets, row)] & AFTER_HOLE) === 0) {
      amend(reader, packets, payloads, row, fields)
      mended++
    }
    const { number, size, time, position } = fieldsOf(payloads, row)
    const joins = current?.number === number && current.size === size && current.filled === position
    streams[stream] = {
      number,
      size,
      time,
      filled: joins ? current.filled + payloads.size[row] : position + payloads.size[row],
    }
  }
  return mended
}

/** Whether a payload is the part that comes next. */
function agrees(payloads: PayloadTable, row: number, { number, size, time, filled }: Current): boolean {
  return (
    payloads.position[row] === filled &&
    payloads.number[row] === number &&
    payloads.objectSize[row] === size &&
    payloads.time[row] === time
  )
}

/** Whether nothing was lost between two payloads. */
function goesOn(packets: PacketTable, row: number, next: number): boolean {
  const end = packetOf(packets, next)
  for (let packet = packetOf(packets, row) + 1; packet <= end; packet++)
    if (packets.flags[packet] & AFTER_HOLE) return false
  return (packets.flags[end] & AFTER_HOLE) === 0
}

/** Whether a payload comes next when a part of `length` bytes is there: it goes on from that, or begins the object behind. */
function comesNext(
  { number, position, size, time }: Required<Fields>,
  current: Current,
  length: number,
): boolean {
  const filled = current.filled + length
  if (filled === current.size) return position === 0 && number === following(current.number)
  return position === filled && number === current.number && size === current.size && time === current.time
}

/** For each payload the next one of its stream; its own number where there is none. */
function nextOfStream(payloads: PayloadTable): Uint32Array {
  const next = new Uint32Array(payloads.length)
  const last = new Int32Array(MOST_STREAMS).fill(-1)
  for (let row = payloads.length - 1; row >= 0; row--) {
    const stream = payloads.stream[row]
    next[row] = last[stream] < 0 ? row : last[stream]
    last[stream] = row
  }
  return next
}

function fieldsOf(payloads: PayloadTable, row: number): Required<Fields> {
  return {
    number: payloads.number[row],
    position: payloads.position[row],
    size: payloads.objectSize[row],
    time: payloads.time[row],
  }
}

function following(number: number): number {
  return number === LAST_NUMBER ? 0 : number + 1
}

/** The fields that have to be others, and what they have to be. */
function disagreeing(
  payloads: PayloadTable,
  row: number,
  next: number,
  third: number,
  current: Current | undefined,
): Fields | undefined {
  const own = fieldsOf(payloads, row)
  const length = payloads.size[row]
  if (current && current.filled < current.size) {
    // a further part: it agrees in all but one, or stands between two that join with it in between
    const facts: [keyof Fields, number][] = [
      ['number', current.number],
      ['position', current.filled],
      ['size', current.size],
      ['time', current.time],
    ]
    const wrong = facts.filter(([name, value]) => own[name] !== value)
    if (current.filled + length > current.size) return undefined
    const isPart =
      wrong.length === 1 || (next !== row && comesNext(fieldsOf(payloads, next), current, length))
    return isPart ? Object.fromEntries(wrong) : undefined
  }
  // a new object: what follows tells whether this is all of it
  if (next === row) return undefined
  const after = fieldsOf(payloads, next)
  const isAll = after.position === 0 && after.number === following(own.number)
  if (isAll && own.position === 0 && own.size !== length) return { size: length }
  if (isAll && own.position !== 0 && own.size === length) return { position: 0 }
  if (
    own.position === 0 &&
    after.position === length &&
    after.number === own.number &&
    after.size !== own.size
  ) {
    const least = length + payloads.size[next]
    // of two sizes that both can be, that of the next part, else what the parts add up to
    const isThird = third !== next && payloads.number[third] === own.number
    const wanted = isThird ? payloads.objectSize[third] : least
    if (after.time !== own.time || after.size < least || own.size === wanted) return undefined
    return { size: after.size }
  }
  if (own.position === 0 && after.position === length && after.size === own.size && own.size > length) {
    if (after.number !== own.number && after.time === own.time) return { number: after.number }
    if (after.number === own.number && after.time !== own.time) return { time: after.time }
  }
  return undefined
}

/** Changes what a payload says of its object, in the table and in its header; its packet is written anew. */
export function amend(
  reader: ByteReader,
  packets: PacketTable,
  payloads: PayloadTable,
  row: number,
  fields: Fields,
): void {
  const packet = packetOf(packets, row)
  const properties = packets.properties[packet]
  const header = payloads.headers.get(row) ?? reader.bytes(payloads.offset[row], payloads.header[row]).slice()
  const view = new DataView(header.buffer, header.byteOffset, header.length)
  const numberBytes = FIELD_BYTES[(properties >> 4) & 3]
  const positionBytes = FIELD_BYTES[(properties >> 2) & 3]
  const object = 1 + numberBytes + positionBytes + FIELD_BYTES[properties & 3]
  if (fields.number !== undefined) put(view, 1, numberBytes, fields.number)
  if (fields.position !== undefined) put(view, 1 + numberBytes, positionBytes, fields.position)
  if (fields.size !== undefined) put(view, object, 4, fields.size)
  // one of several objects tells its time where others tell their place, ASF Specification 01.20.05 §5.2.3.3
  const isCompressed = (payloads.flags[row] & COMPRESSED) !== 0
  const time: [at: number, bytes: number] = isCompressed ? [1 + numberBytes, positionBytes] : [object + 4, 4]
  if (fields.time !== undefined) put(view, ...time, fields.time)
  payloads.headers.set(row, header)
  payloads.number[row] = fields.number ?? payloads.number[row]
  payloads.position[row] = fields.position ?? payloads.position[row]
  payloads.objectSize[row] = fields.size ?? payloads.objectSize[row]
  payloads.time[row] = fields.time ?? payloads.time[row]
  packets.flags[packet] |= REWRITTEN
}

function put(view: DataView, at: number, bytes: number, value: number): void {
  if (at + bytes > view.byteLength) return
  if (bytes === 1) view.setUint8(at, value)
  else if (bytes === 2) view.setUint16(at, value, true)
  else if (bytes === 4) view.setUint32(at, value, true)
}

/** The packet that a payload came in. */
export function packetOf(packets: PacketTable, row: number): number {
  let low = 0
  let high = packets.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (packets.first[middle] <= row) low = middle
    else high = middle - 1
  }
  return low
}
