import { bitsApart } from '../../../bytes/bits-apart.ts'
import { isPacketStart } from '../../../syntax/pes/packet-header.ts'
import { HEADER_BYTES, PACKET_BYTES } from './packet.ts'

/**
 * Flags of an adaptation field that bytes belong to, and how many: PCR, OPCR, splice countdown, ISO/IEC 13818-1:2022 §2.4.3.4.
 */
const FIELD_FLAGS: readonly (readonly [flag: number, bytes: number])[] = [
  [0x10, 6],
  [0x08, 6],
  [0x04, 1],
]
/** Flags of parts that tell their own length: private data, an extension. */
const LONG_FLAGS: readonly number[] = [0x02, 0x01]
const STUFFING = 0xff
const WHOLE = Uint8Array.of(STUFFING)
/** Stuffing from which a payload that begins like an adaptation field is one: chance makes none of it. */
const TELLING = 4

/** Bytes of the field of the packet at `at` behind its length that are no stuffing. */
function neededBytes(bytes: Uint8Array, at: number): number {
  const flags = bytes[at + 5]
  let needed = 1
  for (const [flag, size] of FIELD_FLAGS) if (flags & flag) needed += size
  for (const flag of LONG_FLAGS) if (flags & flag) needed += 1 + bytes[at + 5 + needed]
  return needed
}

/**
 * Whether the adaptation field of the packet at `at` is longer than what it says: only the end of a PES packet needs that,
 * §2.4.3.5.
 */
export function isStuffed(bytes: Uint8Array, at: number): boolean {
  if ((bytes[at + 3] & 0x20) === 0) return false
  const length = bytes[at + HEADER_BYTES]
  return length === 0 || length > neededBytes(bytes, at)
}

/**
 * Whether what stands behind the header of the packet at `at` is an adaptation field: filled by what its flags name, and
 * stuffing.
 */
export function isField(bytes: Uint8Array, at: number): boolean {
  const length = bytes[at + HEADER_BYTES]
  const end = at + HEADER_BYTES + 1 + length
  if (length === 0 || end > at + PACKET_BYTES) return length === 0
  const needed = neededBytes(bytes, at)
  if (needed > length) return false
  for (let i = at + HEADER_BYTES + 1 + needed; i < end; i++) if (bytes[i] !== STUFFING) return false
  return true
}

/** Whether a payload of the packet at `at` begins with an adaptation field whose indicator was hit. */
export function hidesField(bytes: Uint8Array, at: number): boolean {
  const length = bytes[at + HEADER_BYTES]
  if (length > TELLING && bytes[at + 5] === 0 && bytes[at + 6] === STUFFING) return isField(bytes, at)
  const behind = at + HEADER_BYTES + 1 + length
  const starts = (bytes[at + 1] & 0x40) !== 0 && !isPacketStart(bytes, at + HEADER_BYTES)
  return starts && behind + 9 < at + PACKET_BYTES && isPacketStart(bytes, behind) && isField(bytes, at)
}

/**
 * Whether a packet at `at` that claims an adaptation field begins with its payload, as its PES packet's start code shows or what
 * stands there.
 */
export function lacksField(bytes: Uint8Array, at: number): boolean {
  const starts = (bytes[at + 1] & 0x40) !== 0
  if (starts && isPacketStart(bytes, at + HEADER_BYTES)) return true
  if (startsBehindField(bytes, at)) return false
  return !isField(bytes, at) && !isHitField(bytes, at)
}

/** Whether a PES packet that the packet at `at` says to begin in it does so right behind its adaptation field. */
export function startsBehindField(bytes: Uint8Array, at: number): boolean {
  const starts = (bytes[at + 1] & 0x40) !== 0
  return starts && isPacketStart(bytes, at + HEADER_BYTES + 1 + bytes[at + HEADER_BYTES])
}

/** Bytes of stuffing that a few flipped bits hit: more were overwritten. */
const FEW_BYTES = 2

/** Whether a field stands there whose stuffing was hit: it begins with some, or is stuffing but for a few bytes. */
export function isHitField(bytes: Uint8Array, at: number): boolean {
  if (isField(bytes, at)) return false
  const first = at + HEADER_BYTES + 1 + neededBytes(bytes, at)
  const stuffing = bytes.subarray(first, at + HEADER_BYTES + 1 + bytes[at + HEADER_BYTES])
  const strange = strangeBytes(stuffing)
  if (strange <= FEW_BYTES && stuffing.length - strange >= TELLING) return true
  return stuffing.length >= TELLING && strangeBytes(stuffing.subarray(0, TELLING)) === 0
}

/** Bits of a byte that few flips turn: more of them are what a writer left there. */
const FEW_BITS = 2

/** Whether all that is no stuffing, where it is to stand, is stuffing of which few bits were turned. */
export function isTurnedStuffing(bytes: Uint8Array, at: number): boolean {
  const first = at + HEADER_BYTES + 1 + neededBytes(bytes, at)
  const stuffing = bytes.subarray(first, at + HEADER_BYTES + 1 + bytes[at + HEADER_BYTES])
  return stuffing.every((byte) => bitsApart(Uint8Array.of(byte), WHOLE) <= FEW_BITS)
}

/** Bytes that are no stuffing. */
function strangeBytes(stuffing: Uint8Array): number {
  let strange = 0
  for (const byte of stuffing) if (byte !== STUFFING) strange++
  return strange
}

/**
 * The field whose stuffing or length was hit as it was, from its length on: a few bytes of stuffing put back, or the one bit of
 * the length turned with which stuffing fills it. Undefined where it was overwritten.
 */
export function mendedField(bytes: Uint8Array, at: number): Uint8Array | undefined {
  const length = bytes[at + HEADER_BYTES]
  const field = bytes.slice(at + HEADER_BYTES, at + HEADER_BYTES + 1 + length)
  const first = 1 + neededBytes(bytes, at)
  if (strangeBytes(field.subarray(first)) <= FEW_BYTES) return field.fill(STUFFING, first)
  let end = first
  while (field[end] === STUFFING) end++
  const turned = (end - 1) ^ length
  return (turned & (turned - 1)) === 0 ? Uint8Array.of(end - 1) : undefined
}
