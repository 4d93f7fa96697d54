import type { LittleEndian } from '../../../bytes/plain-bytes.ts'

/** Bytes of a field by its two bits of length type, ASF Specification §5.2.2. */
export const FIELD_BYTES = [0, 1, 2, 4]
/** Bytes of replicated data that every muxer's begin with: size and time of the media object. */
const REPLICATED = 8

/** The bit of a packet's first byte that error correction data follow, §5.2.1. */
export const CORRECTED = 0x80
/** The first byte of packets with such data as all muxers write it: two zeros. */
export const USUAL_CORRECTION = 0x82

/** One payload, §5.2.3. */
export interface Payload {
  /** Offset of its header; of its data. */
  offset: number
  data: number
  length: number
  stream: number
  key: boolean
  /** Number of the media object, and where in it the payload belongs. */
  number: number
  position: number
  /** Bytes and milliseconds of the media object. */
  size: number
  time: number
  /** Bytes of replicated data. */
  replicated: number
  /** Several whole small objects, §5.2.3.2. */
  compressed: boolean
}

/** A packet as its header tells it. One object is reused over a scan. */
export class Packet {
  /** Bytes with padding. */
  length = 0
  sendTime = 0
  duration = 0
  /** Error correction flags, length type flags, property flags. */
  correction = 0
  /** Its error correction data are zeros, as those of all muxers: players pass over packets with others. */
  uncorrected = true
  lengths = 0
  properties = 0
  count = 0
  /** Bytes of a payload's length: 0 where there is but one. */
  lengthField = 0
  /** One past the last payload. */
  end = 0
  /** As many as were ever asked for. */
  readonly payloads: Payload[] = []

  /** The `i`th payload, to be read into. */
  payload(i: number): Payload {
    while (this.payloads.length <= i) this.payloads.push(newPayload())
    return this.payloads[i]
  }
}

export function newPayload(): Payload {
  return {
    offset: 0,
    data: 0,
    length: 0,
    stream: 0,
    key: false,
    number: 0,
    position: 0,
    size: 0,
    time: 0,
    replicated: 0,
    compressed: false,
  }
}

function field(reader: LittleEndian, at: number, bytes: number): number {
  if (bytes === 0) return 0
  if (bytes === 1) return reader.u8(at)
  return bytes === 2 ? reader.u16le(at) : reader.u32le(at)
}

/** Bytes of packets: one number twice, but in files of variable packets. */
export interface PacketSizes {
  readonly least: number
  readonly most: number
}

/** Reads what stands in front of the payloads of the packet at `at`. Returns its bytes; 0 where it is none. */
export function readPacketHead(reader: LittleEndian, at: number, sizes: PacketSizes, packet: Packet): number {
  let position = at
  let lengths = reader.u8(position)
  packet.correction = 0
  packet.uncorrected = true
  if (lengths & CORRECTED) {
    // length type and opaque data are always zero, §5.2.1
    if (lengths & 0x70) return 0
    packet.correction = lengths
    for (let i = 1; i <= (lengths & 15); i++) if (reader.u8(at + i) !== 0) packet.uncorrected = false
    position += 1 + (lengths & 15)
    lengths = reader.u8(position)
  }
  if (lengths & CORRECTED) return 0
  const properties = reader.u8(position + 1)
  if (properties >> 6 !== 1 || (properties & 3) === 0) return 0
  packet.lengths = lengths
  packet.properties = properties
  position += 2
  const lengthBytes = FIELD_BYTES[(lengths >> 5) & 3]
  const stated = field(reader, position, lengthBytes)
  position += lengthBytes + FIELD_BYTES[(lengths >> 1) & 3]
  const paddingBytes = FIELD_BYTES[(lengths >> 3) & 3]
  const padding = field(reader, position, paddingBytes)
  position += paddingBytes
  packet.sendTime = reader.u32le(position)
  packet.duration = reader.u16le(position + 4)
  position += 6
  const filled = stated > 0 ? stated : sizes.most
  // a short packet is filled up to the least size
  packet.length = Math.max(filled, sizes.least)
  packet.end = at + filled - padding
  packet.count = 1
  packet.lengthField = 0
  if (lengths & 1) {
    const head = reader.u8(position++)
    packet.count = head & 63
    packet.lengthField = FIELD_BYTES[head >> 6]
    if (packet.count === 0 || packet.lengthField === 0) return 0
  }
  return packet.length > sizes.most || position > packet.end ? 0 : position - at
}

/**
 * Reads the packet at `at`. False where its parts do not fill it as they have to, or `knows` does not know one of its streams.
 */
export function readPacket(
  reader: LittleEndian,
  at: number,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  packet: Packet,
): boolean {
  const head = readPacketHead(reader, at, sizes, packet)
  if (head === 0 || at + packet.length > reader.size) return false
  const { end, properties, lengthField } = packet
  let position = at + head
  for (let i = 0; i < packet.count; i++) {
    const payload = packet.payload(i)
    if (!readPayload(reader, position, end, properties, lengthField, payload) || !knows(payload.stream))
      return false
    position = payload.data + payload.length
  }
  return position === end || (position < end && lengthField > 0)
}

/** Reads the payload at `at`, which ends at `end` at the latest, and there where it has no length of its own. */
export function readPayload(
  reader: LittleEndian,
  at: number,
  end: number,
  properties: number,
  lengthField: number,
  payload: Payload,
): boolean {
  const replicatedBytes = FIELD_BYTES[properties & 3]
  const positionBytes = FIELD_BYTES[(properties >> 2) & 3]
  const numberBytes = FIELD_BYTES[(properties >> 4) & 3]
  let next = at + 1
  const first = reader.u8(at)
  payload.offset = at
  payload.stream = first & 127
  payload.key = first > 127
  payload.number = field(reader, next, numberBytes)
  next += numberBytes
  payload.position = field(reader, next, positionBytes)
  next += positionBytes
  const replicated = field(reader, next, replicatedBytes)
  next += replicatedBytes
  payload.replicated = replicated
  payload.compressed = replicated === 1
  if (payload.compressed) {
    payload.time = payload.position
    payload.position = 0
    payload.size = 0
    next += 1
  } else if (replicated >= REPLICATED) {
    payload.size = reader.u32le(next)
    payload.time = reader.u32le(next + 4)
    next += replicated
  } else return false
  payload.length = lengthField > 0 ? field(reader, next, lengthField) : end - next
  next += lengthField
  payload.data = next
  if (payload.stream === 0 || payload.length <= 0 || next + payload.length > end) return false
  if (!payload.compressed) return payload.position + payload.length <= payload.size
  payload.size = payload.length
  return true
}
