import { PlainBytes } from '../../../bytes/plain-bytes.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { continuity, follow, isJoined, isLikely, type LastOnes } from '../read/last-ones.ts'
import { Packet, type PacketSizes, readPacket, readPacketHead, readPayload } from '../read/packet.ts'
import { type Habits, resemblesPacket } from '../read/salvage.ts'

/** Bytes of a packet's own header, and of a payload's, in which a bit may have been hit. */
const PACKET_HEAD = 24
const PAYLOAD_HEAD = 17

/** A packet of which one bit or two were turned back. */
export interface MendedPacket {
  /** Its offsets count from the packet's beginning. */
  readonly packet: Packet
  readonly bytes: Uint8Array
}

/** Bits of one packet that may have been hit. */
const MOST_BITS = 2
/** First bits of two that are followed up: each is tried with every other bit. */
const MOST_FIRST = 32
/** Bytes that have to be there for each packet in which two bits are looked for. */
const TRYING_TWO = 512 * 1024

/** What is known where a packet is mended. */
export interface PacketTask {
  readonly sizes: PacketSizes
  readonly knows: (stream: number) => boolean
  readonly last: LastOnes
  readonly habits: Habits
  /** Bounds the searches for two bits, in bytes of the file. */
  readonly allowance: Allowance
}

/**
 * The packet at `at` with that one bit of its headers turned back, or those two, that make it one whose payloads go on from those
 * before. Undefined where no bits do, or several do as well. A packet that can be read as it is has to be one of which every
 * payload joins to those before.
 */
export function mendPacket(reader: ByteReader, at: number, task: PacketTask): MendedPacket | undefined {
  const { sizes, knows } = task
  const packet = new Packet()
  if (!readPacket(reader, at, sizes, knows, packet) && !resemblesPacket(reader, at)) return undefined
  const bytes = reader.bytes(at, sizes.most).slice()
  if (bytes.length < sizes.most) return undefined
  const isReadable = read(bytes, sizes, knows, packet)
  if (isReadable && clearCorrection(bytes, packet, task)) return { packet, bytes }
  // where the next packet does not follow, bytes are missing or too many
  const end = at + sizes.most
  const next = new Packet()
  if (end < reader.size && !readPacket(reader, end, sizes, knows, next) && !resemblesPacket(reader, end))
    return undefined
  const one = new Best()
  tryBits(bytes, task, isReadable, packet, one, [])
  const two = new Best()
  // where several bits do as well, two together may do better
  if (!one.bits && !isReadable && task.allowance.take(TRYING_TWO)) tryPairs(bytes, task, packet, two)
  const bits = two.score > one.score ? two.bits : one.bits
  if (!bits) return undefined
  for (const bit of bits) turn(bytes, bit)
  return read(bytes, sizes, knows, packet) ? { packet, bytes } : undefined
}

/**
 * Turns one or two bits back that are set in the error correction data of a packet that is sound otherwise; says whether that is
 * all it needs.
 */
function clearCorrection(
  bytes: Uint8Array,
  packet: Packet,
  { sizes, knows, last, habits }: PacketTask,
): boolean {
  if (!habits.uncorrected || packet.uncorrected) return false
  const before = bytes.slice(1, 1 + (packet.correction & 15))
  if (before.reduce((sum, byte) => sum + bitsIn(byte), 0) > MOST_BITS) return false
  bytes.fill(0, 1, 1 + before.length)
  if (read(bytes, sizes, knows, packet) && isSound(packet, last, habits)) return true
  bytes.set(before, 1)
  return false
}

function bitsIn(byte: number): number {
  let count = 0
  for (let rest = byte; rest > 0; rest &= rest - 1) count++
  return count
}

/** The bits that score best, as long as no others do as well. */
class Best {
  score = 0
  #bits: readonly number[] = []
  #isShared = false

  offer(score: number, bits: readonly number[]): void {
    if (score === 0 || score < this.score) return
    const sorted = bits.toSorted((a, b) => a - b)
    const isSame = sorted.length === this.#bits.length && sorted.every((bit, i) => bit === this.#bits[i])
    this.#isShared = score === this.score && (this.#isShared || !isSame)
    this.score = score
    this.#bits = sorted
  }

  get bits(): readonly number[] | undefined {
    return this.score > 0 && !this.#isShared ? this.#bits : undefined
  }
}

function turn(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3] ^= 1 << (bit & 7)
}

/** Offers every bit with which the packet goes on from those before, besides those that are `turned` already. */
function tryBits(
  bytes: Uint8Array,
  { sizes, knows, last, habits }: PacketTask,
  isReadable: boolean,
  packet: Packet,
  best: Best,
  turned: readonly number[],
  places = suspects(bytes, sizes, knows, packet),
): void {
  const reader = new PlainBytes(bytes)
  for (const byte of places) {
    for (let bit = byte * 8; bit < byte * 8 + 8; bit++) {
      if (turned.includes(bit)) continue
      turn(bytes, bit)
      const fits =
        read(bytes, sizes, knows, packet, reader) &&
        // fields of other lengths than in all packets before make sense by chance alone
        (habits.properties.size === 0 || habits.properties.has(packet.properties)) &&
        hasUsualReplicated(packet, habits) &&
        (!isReadable || isSound(packet, last, habits))
      if (fits) best.offer(continuity(packet, last), [...turned, bit])
      turn(bytes, bit)
    }
  }
}

/** Offers pairs of bits: a first one with which more of the payloads can be read or lies near, and any second one. */
function tryPairs(bytes: Uint8Array, task: PacketTask, packet: Packet, best: Best): void {
  const reached = reach(bytes, task, packet)
  const at = reached < 0 || reached >= packet.count * 2 ? -1 : packet.payloads[reached >> 1].offset
  const firsts: number[] = []
  for (const byte of suspects(bytes, task.sizes, task.knows, packet)) {
    for (let bit = byte * 8; bit < byte * 8 + 8; bit++) {
      turn(bytes, bit)
      if (reach(bytes, task, packet) > reached) firsts.push(bit)
      turn(bytes, bit)
    }
  }
  const tryWith = (first: number, places?: number[]): void => {
    turn(bytes, first)
    tryBits(bytes, task, false, packet, best, [first], places)
    turn(bytes, first)
  }
  if (firsts.length <= MOST_FIRST) for (const first of firsts) tryWith(first)
  // two bits of one payload, none of which helps without the other
  if (at < 0 || !task.allowance.take(TRYING_TWO)) return
  const places = Array.from({ length: PAYLOAD_HEAD }, (_, i) => at + i)
  for (const [i, byte] of places.entries())
    for (let bit = byte * 8; bit < byte * 8 + 8; bit++) tryWith(bit, places.slice(i))
}

/**
 * How far a packet can be read: two steps for each payload from the first one on that lies near those before, one more where the
 * next can be read at least; -1 where not even the packet's own header can.
 */
function reach(bytes: Uint8Array, { sizes, knows, last: before }: PacketTask, packet: Packet): number {
  const reader = new PlainBytes(bytes)
  let at = readPacketHead(reader, 0, sizes, packet)
  if (at === 0) return -1
  const last = new Map(before)
  for (let i = 0; i < packet.count; i++) {
    const payload = packet.payload(i)
    const isWhole = readPayload(reader, at, packet.end, packet.properties, packet.lengthField, payload)
    if (!isWhole || !knows(payload.stream)) return i * 2
    if (!isLikely(payload, last)) return i * 2 + 1
    follow(last, payload)
    at = payload.data + payload.length
  }
  return packet.count * 2
}

function read(
  bytes: Uint8Array,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  packet: Packet,
  reader = new PlainBytes(bytes),
): boolean {
  if (!readPacket(reader, 0, sizes, knows, packet)) return false
  const { data, length } = packet.payloads[packet.count - 1]
  // a packet is full up to its padding, and that is empty
  if (data + length !== packet.end) return false
  for (let at = packet.end; at < bytes.length; at++) if (bytes[at] !== 0) return false
  return true
}

/** Bytes of the packet's header and of the payload headers around the place where reading fails. */
function suspects(
  bytes: Uint8Array,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  packet: Packet,
): number[] {
  const places = new Set(Array.from({ length: PACKET_HEAD }, (_, i) => i))
  for (const payload of packet.payloads) payload.offset = -1
  readPacket(new PlainBytes(bytes), 0, sizes, () => true, packet)
  const reached = packet.payloads.filter(({ offset }) => offset >= 0)
  const unknown = reached.findIndex(({ stream }) => !knows(stream))
  const last = unknown < 0 ? reached.length - 1 : unknown
  for (const { offset } of reached.slice(Math.max(0, last - 2), last + 1))
    for (let i = 0; i < PAYLOAD_HEAD && offset + i < bytes.length; i++) places.add(offset + i)
  return [...places]
}

/**
 * Whether a packet goes on from those before, is full, and has error correction and replicated data as they: else it may have
 * been hit.
 */
export function isSound(packet: Packet, last: LastOnes, habits: Habits): boolean {
  if (habits.uncorrected && !packet.uncorrected) return false
  const { data, length } = packet.payloads[packet.count - 1]
  return data + length === packet.end && hasUsualReplicated(packet, habits) && isJoined(packet, last)
}

/**
 * Whether several payloads, with replicated data as those before have, fill a packet to its very end: chance makes none, whatever
 * follows it.
 */
export function isChained(packet: Packet, habits: Habits): boolean {
  const { data, length } = packet.payloads[packet.count - 1]
  const isFull = packet.count > 1 && data + length === packet.end
  return isFull && habits.replicated.size > 0 && hasUsualReplicated(packet, habits)
}

/** Whether each payload has as many bytes of replicated data as some before, where there were any. */
function hasUsualReplicated({ count, payloads }: Packet, { replicated }: Habits): boolean {
  for (let i = 0; i < count; i++)
    if (replicated.size > 0 && !replicated.has(payloads[i].replicated)) return false
  return true
}
