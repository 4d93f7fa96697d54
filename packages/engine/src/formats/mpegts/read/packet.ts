/** Transport packets, ISO/IEC 13818-1:2022 §2.4.3.2. */
export const PACKET_BYTES = 188
export const SYNC_BYTE = 0x47
export const NULL_PID = 0x1fff
/** PIDs below are tables' of the standard and of broadcasters, ETSI EN 300 468 Table 1. */
export const FIRST_FREE_PID = 0x20
/** Of an adaptation field behind its length; some writers count packets with an empty payload. */
const LONGEST_FIELD = 183
/** Bytes of a packet's header, and most of its payload. */
export const HEADER_BYTES = 4
export const PAYLOAD_BYTES = PACKET_BYTES - HEADER_BYTES

/** Continuity counters repeat after so many packets. */
export const COUNTERS = 16

/** How a file frames its packets. */
export interface Layout {
  /** Bytes from one packet to the next: 188, 192 with an arrival time in front of each, 204 with a checksum behind. */
  readonly size: 188 | 192 | 204
  /** Bytes in front of the sync byte. */
  readonly lead: 0 | 4
}

export const LAYOUTS: readonly Layout[] = [
  { size: 188, lead: 0 },
  { size: 192, lead: 4 },
  { size: 204, lead: 0 },
]

/** Whether the header whose sync byte is at `at` keeps to the rules; the sync byte itself is not looked at. */
export function isPlausible(bytes: Uint8Array, at: number): boolean {
  const control = bytes[at + 3] & 0x30
  if (control === 0) return isNull(bytes, at)
  if ((bytes[at + 1] & 0x80) !== 0) return false
  return control === 0x10 || bytes[at + 4] <= LONGEST_FIELD
}

export function isNull(bytes: Uint8Array, at: number): boolean {
  return (bytes[at + 1] & 0x1f) === 0x1f && bytes[at + 2] === 0xff
}

/** Bytes in front of the payload of the packet at `at`; 188 when it has none. */
export function payloadStart(bytes: Uint8Array, at: number): number {
  const control = (bytes[at + 3] >> 4) & 3
  if (control === 1) return HEADER_BYTES
  if (control !== 3) return PACKET_BYTES
  return Math.min(PACKET_BYTES, HEADER_BYTES + 1 + bytes[at + 4])
}
