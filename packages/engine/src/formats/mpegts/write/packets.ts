import {
  HEADER_BYTES,
  type Layout,
  PACKET_BYTES,
  PAYLOAD_BYTES,
  payloadStart,
  SYNC_BYTE,
} from '../read/packet.ts'

/** What encoders stuff with. */
const STUFFING = 0xff
const DISCONTINUITY = 0x80

/**
 * A packet around a header of four bytes: `payload` at its end, an adaptation field as stuffing in front where that is shorter.
 */
export function packetOf(pid: number, start: boolean, counter: number, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(PACKET_BYTES).fill(STUFFING)
  const stuffing = PAYLOAD_BYTES - payload.length
  bytes[0] = SYNC_BYTE
  bytes[1] = (start ? 0x40 : 0) | (pid >> 8)
  bytes[2] = pid & 0xff
  bytes[3] = (stuffing > 0 ? 0x30 : 0x10) | (counter & 15)
  if (stuffing > 0) bytes[4] = stuffing - 1
  if (stuffing > 1) bytes[5] = 0
  bytes.set(payload, HEADER_BYTES + stuffing)
  return bytes
}

/** A packet framed as those of the file are: `arrival` is the four bytes in front, where packets have them. */
export function framed(packet: Uint8Array, arrival: Uint8Array, { size, lead }: Layout): Uint8Array {
  const bytes = new Uint8Array(size).fill(STUFFING)
  bytes.set(arrival.subarray(0, lead))
  bytes.set(packet, lead)
  return bytes
}

/**
 * A packet without payload that says that the counter of the framed packet `next`, in front of which it belongs, follows on
 * nothing, ISO/IEC 13818-1:2022 §2.4.3.5. It arrives with that.
 */
export function discontinuityPacket(next: Uint8Array, layout: Layout): Uint8Array {
  const { lead } = layout
  const bytes = new Uint8Array(PACKET_BYTES).fill(STUFFING)
  bytes[0] = SYNC_BYTE
  bytes[1] = next[lead + 1] & 0x1f
  bytes[2] = next[lead + 2]
  bytes[3] = 0x20 | ((next[lead + 3] - 1) & 15)
  bytes[4] = PAYLOAD_BYTES - 1
  bytes[5] = DISCONTINUITY
  return framed(bytes, next, layout)
}

/** A framed packet with another payload, no longer than its own: stuffing in its adaptation field takes the room that is left. */
export function withPayload(bytes: Uint8Array, { size, lead }: Layout, payload: Uint8Array): Uint8Array {
  const start = payloadStart(bytes.subarray(lead, lead + PACKET_BYTES), 0)
  const room = PACKET_BYTES - payload.length
  const result = new Uint8Array(size).fill(STUFFING)
  result.set(bytes.subarray(0, lead + Math.min(start, room)))
  result.set(bytes.subarray(lead + PACKET_BYTES, size), lead + PACKET_BYTES)
  result.set(payload, lead + room)
  if (room <= start) return result
  result[lead + 3] |= 0x20
  result[lead + HEADER_BYTES] = room - HEADER_BYTES - 1
  // a field without flags is new, or was empty
  if (start <= HEADER_BYTES + 1 && room > HEADER_BYTES + 1) result[lead + HEADER_BYTES + 1] = 0
  return result
}

/**
 * A framed packet of which only the first bytes are there, whole again by stuffing in front of what there is of its payload;
 * undefined when none of it is there.
 */
export function trimmedPacket(bytes: Uint8Array, layout: Layout): Uint8Array | undefined {
  const packet = bytes.subarray(layout.lead, layout.lead + PACKET_BYTES)
  if (packet.length <= HEADER_BYTES + 1) return undefined
  const start = payloadStart(packet, 0)
  return start < packet.length ? withPayload(bytes, layout, packet.slice(start)) : undefined
}
