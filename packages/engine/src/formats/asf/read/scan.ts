import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { endLast, nextInside } from '../mend/next-inside.ts'
import { isChained, isSound, type MendedPacket, mendPacket } from '../mend/packet-bits.ts'
import { cutSwallowing } from '../mend/swallowing.ts'
import { GUID, guidAt, INDEXES } from './guids.ts'
import { OBJECT_HEADER } from './header.ts'
import { follow, type LastOnes, lastOfStreams } from './last-ones.ts'
import { CORRECTED, Packet, type PacketSizes, readPacket, USUAL_CORRECTION } from './packet.ts'
import { AFTER_HOLE, PacketTable, PayloadTable, REWRITTEN } from './packet-table.ts'
import { noteZeros } from './payload-zeros.ts'
import { type Habits, resemblesPacket, salvage, USUAL_PROPERTIES } from './salvage.ts'

/** Packets between two breaks for others. */
const PACKETS_A_TURN = 1024

/**
 * Bytes that have to be there for each packet of which bits are turned although it can be read: that reads it hundreds of times.
 */
const TRYING = 16 * 1024

/** Bytes that every file counts for where two bits of a packet are looked for. */
const SMALL = 4 * 1024 * 1024

/** A stretch in which no whole packet stands. */
export interface Hole extends Region {
  /** The packet behind it; the table's length at the end of the data. */
  readonly packet: number
  /** The first payload that was taken from it; that of the packet behind where none was. */
  readonly row: number
  /** Zeros alone. */
  readonly zero: boolean
  /** Its length is one of whole packets: bytes were overwritten, none are missing or too many. */
  readonly inGrid: boolean
  /** Bytes of it that nothing accounts for. */
  readonly unexplained: number
}

/** An index object behind the data. */
export interface IndexObject extends Region {
  readonly guid: string
}

export interface Scan {
  readonly packets: PacketTable
  readonly payloads: PayloadTable
  readonly holes: readonly Hole[]
  readonly indexes: readonly IndexObject[]
  /** Packets of which one bit or two were turned back. */
  readonly mendedPackets: number
  /** One past the last packet. */
  readonly dataEnd: number
  /** Bytes behind packets and indexes that belong to nothing. */
  readonly trailing: number
}

/** What is found on the way. */
export type SoFar = { readonly sizes: PacketSizes } & Pick<Scan, 'packets' | 'payloads' | 'holes'>

/**
 * Walks the packets from `start` on; where none stands, keeps what payloads are left and looks for the next packet. Whether
 * payloads of the streams that `looksAt` names hold zeros is noted on the way. `walked` is told how far it came.
 */
export async function scan(
  reader: ByteReader,
  start: number,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  looksAt: (stream: number) => boolean,
  limits: Limits,
  monitor: Monitor,
  walked?: (found: SoFar, at: number) => void,
): Promise<Scan> {
  const packets = new PacketTable()
  const payloads = new PayloadTable(limits.samplesPerTrack)
  const holes: Hole[] = []
  const indexes: IndexObject[] = []
  const packet = new Packet()
  const next = new Packet()
  const habits: Habits = {
    properties: new Set(),
    starts: new Set(),
    replicated: new Set(),
    uncorrected: true,
  }
  let last: LastOnes = new Map()
  const allowance = new Allowance(reader.size)
  const pairs = new Allowance(SMALL + reader.size)
  let mendedPackets = 0
  let trailing = 0
  let dataEnd = start
  let flags = 0
  let turn = 0
  let at = start
  const take = (): void => {
    const first = payloads.length
    for (let i = 0; i < packet.count; i++) {
      const row = payloads.push(packet.payloads[i], packet.lengthField)
      if (looksAt(packet.payloads[i].stream)) noteZeros(reader, payloads, row)
    }
    for (let i = 0; i < packet.count; i++) follow(last, packet.payloads[i])
    packets.push(at, packet.length, first, packet.sendTime, packet.duration, flags, packet.properties)
    habits.properties.add(packet.properties)
    habits.starts.add(packet.correction || packet.lengths)
    habits.uncorrected &&= packet.uncorrected
    for (let i = 0; i < packet.count; i++) habits.replicated.add(packet.payloads[i].replicated)
    flags = 0
    at += packet.length
    dataEnd = at
  }
  while (at < reader.size) {
    if (++turn % PACKETS_A_TURN === 0) {
      walked?.({ packets, payloads, holes, sizes }, at)
      monitor.progress('survey', at / reader.size)
      await monitor.pause()
    }
    const isReadable = readPacket(reader, at, sizes, knows, packet)
    if (isReadable && (isSound(packet, last, habits) || !allowance.take(TRYING))) {
      take()
      continue
    }
    const task = { sizes, knows, last, habits, allowance: pairs }
    const mended = packets.length > 0 ? mendPacket(reader, at, task) : undefined
    if (isReadable && !mended) {
      readPacket(reader, at, sizes, knows, packet)
      take()
      continue
    }
    if (mended) {
      takeMended(mended, at, packets, payloads, flags)
      flags = 0
      for (let i = 0; i < mended.packet.count; i++) follow(last, mended.packet.payloads[i])
      mendedPackets++
      at += mended.packet.length
      dataEnd = at
      continue
    }
    const index = indexAt(reader, at)
    if (index) {
      indexes.push(index)
      at += index.length
      continue
    }
    if (indexes.length > 0) {
      trailing = reader.size - at
      break
    }
    const isIndex = (place: number): boolean => indexAt(reader, place) !== undefined
    const goesOn = (place: number): boolean => goesOnAt(reader, place, sizes, knows, next)
    const inside = { ...task, isIndex, goesOn }
    const early = at === dataEnd ? nextInside(reader, at, packets, payloads, last, inside) : -1
    if (early >= 0) {
      endLast(packets, payloads, early)
      const { offset, size } = lastOf(packets)
      const place = { packet: packets.length, row: payloads.length }
      holes.push({ offset, length: size, ...place, zero: false, inGrid: false, unexplained: 0 })
      flags = AFTER_HOLE
      at = early
      continue
    }
    const found = await searchPacket(reader, at + 1, sizes, knows, packet, next, habits, monitor)
    const end = found < 0 ? reader.size : firstHit(reader, at, found, sizes)
    const first = payloads.length
    // up to the end of a file that breaks off nothing is missing either
    const inGrid = found < 0 || (end - at) % sizes.most === 0
    const rest = {
      sizes,
      knows,
      habits,
      inGrid,
      isOpen: found < 0,
      next: found < 0 || indexAt(reader, found) ? undefined : packet,
      payloads,
    }
    // where bytes are missing, the packet in front may be the one that lost them
    const from = inGrid || at !== dataEnd ? at : cutSwallowing(reader, at, end, rest, packets)
    const unexplained = await salvage(reader, from, end, rest, monitor)
    if (payloads.length > first)
      packets.push(at, end - at, first, 0, 0, REWRITTEN | AFTER_HOLE, propertiesOf(habits))
    last = lastOfStreams(payloads, undefined)
    const zero = isZero(reader, at, end)
    holes.push({
      offset: at,
      length: end - at,
      packet: packets.length,
      row: first,
      zero,
      inGrid,
      unexplained,
    })
    flags = AFTER_HOLE
    at = end
  }
  return { packets, payloads, holes, indexes, mendedPackets, dataEnd, trailing }
}

function lastOf({ offset, size, length }: PacketTable): { offset: number; size: number } {
  return { offset: offset[length - 1], size: size[length - 1] }
}

function takeMended(
  { packet, bytes }: MendedPacket,
  at: number,
  packets: PacketTable,
  payloads: PayloadTable,
  flags: number,
): void {
  const first = payloads.length
  for (let i = 0; i < packet.count; i++) {
    const payload = packet.payloads[i]
    const { offset, data } = payload
    payload.offset += at
    payload.data += at
    payloads.headers.set(payloads.push(payload, packet.lengthField), bytes.slice(offset, data))
  }
  packets.push(
    at,
    packet.length,
    first,
    packet.sendTime,
    packet.duration,
    REWRITTEN | flags,
    packet.properties,
  )
}

/** The first of the packets right in front of one that was found, which begin as packets do although they cannot be read. */
function firstHit(reader: ByteReader, from: number, found: number, { least, most }: PacketSizes): number {
  let first = found
  while (least === most && first - most > from && resemblesPacket(reader, first - most)) first -= most
  return first
}

function propertiesOf({ properties }: Habits): number {
  const [first = USUAL_PROPERTIES] = properties
  return first
}

/** The first four bytes of the names of indexes. */
const INDEX_STARTS: ReadonlySet<number> = new Set(
  [...INDEXES].map((guid) => Number.parseInt(guid.slice(0, 8), 16)),
)

/** An index object at `at`; cut off at the end of the file. */
function indexAt(reader: ByteReader, at: number): IndexObject | undefined {
  // asked of many places: a name as text is made of few
  if (!INDEX_STARTS.has(reader.u32(at))) return undefined
  const guid = guidAt(reader, at)
  if (!INDEXES.has(guid)) return undefined
  const size = reader.u64le(at + 16)
  if (size < OBJECT_HEADER) return undefined
  return { guid, offset: at, length: Math.min(size, reader.size - at) }
}

/** Whether a packet or an index is at `at`, the file ends there, or in what begins there as packets do. */
function goesOnAt(
  reader: ByteReader,
  at: number,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  packet: Packet,
): boolean {
  if (at === reader.size || readPacket(reader, at, sizes, knows, packet) || indexAt(reader, at)) return true
  return at < reader.size && at + sizes.most > reader.size && resemblesPacket(reader, at)
}

/** Bytes of the error correction of all muxers: its flags and two zeros. */
const CORRECTION = 3

function isCorrected(reader: ByteReader, at: number): boolean {
  return at >= 0 && reader.u8(at) === USUAL_CORRECTION && reader.u16(at + 1) === 0
}

/**
 * Whether a packet may begin at `at` of a file of which none was read yet: with error correction, or with its length and property
 * flags where none stands in front of these.
 */
function mayStart(reader: ByteReader, at: number, first: number): boolean {
  if (first === USUAL_CORRECTION) return true
  return first < CORRECTED && reader.u8(at + 1) === USUAL_PROPERTIES && !isCorrected(reader, at - CORRECTION)
}

/**
 * The next place from `from` on where packets go on: one whose payloads fill it, or one with a second behind it, also one that is
 * cut off, or the end of the data. Also where an index begins. -1 when there is none.
 */
async function searchPacket(
  reader: ByteReader,
  from: number,
  sizes: PacketSizes,
  knows: (stream: number) => boolean,
  packet: Packet,
  next: Packet,
  habits: Habits,
  monitor: Monitor,
): Promise<number> {
  const index = Number.parseInt(GUID.simpleIndex.slice(0, 2), 16)
  const other = Number.parseInt(GUID.index.slice(0, 2), 16)
  for (const { at, bytes } of searchPieces(reader, from, reader.size, 0)) {
    await monitor.pause()
    for (let i = 0; i < bytes.length; i++) {
      const first = bytes[i]
      if ((first === index || first === other) && indexAt(reader, at + i)) return at + i
      const isKnown = habits.starts.size > 0
      if (isKnown ? !habits.starts.has(first) : !mayStart(reader, at + i, first)) continue
      if (!readPacket(reader, at + i, sizes, knows, packet)) continue
      if (habits.properties.size > 0 && !habits.properties.has(packet.properties)) continue
      if (!isKnown && first < CORRECTED && isCorrected(reader, at + i + packet.length - CORRECTION)) continue
      // what follows may be hit, too
      if (isChained(packet, habits) || goesOnAt(reader, at + i + packet.length, sizes, knows, next))
        return at + i
    }
  }
  return -1
}
