import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import type { Monitor } from '../../model/monitor.ts'
import { partsOf } from './read/media-objects.ts'
import type { PacketTable, PayloadTable } from './read/packet-table.ts'
import { goesOnInZeros, holdsZeros, isDense, zerosAtEnd } from './read/payload-zeros.ts'
import type { Hole, Scan } from './read/scan.ts'
import type { StreamObjects } from './recording.ts'

/** Of a healthy stream so many pictures hold none. */
const LEAST_SHARE = 0.8
const OBJECTS_A_TURN = 256

/** Payloads of a stream, evenly spread, by which it is known in how many zeros whole ones end. */
const MOST_COMPARED = 4096

/**
 * The first payloads of pictures that hold zeros which no encoder writes, of what zeros of a hole reach into, and of what stands
 * at the end of a packet whose own end is elsewhere.
 */
export async function checkMedia(
  reader: ByteReader,
  { packets, payloads, holes }: Pick<Scan, 'packets' | 'payloads' | 'holes'>,
  objects: readonly StreamObjects[],
  monitor: Monitor,
): Promise<ReadonlySet<number>> {
  const damaged = new Set<number>()
  const torn = tornRows(reader, packets, payloads, holes)
  const displaced = displacedRows(reader, packets, payloads, holes)
  for (const { stream, rows } of objects) {
    if (displaced.size > 0) for (const row of rows) if (hasPart(payloads, row, displaced)) damaged.add(row)
    if (!isDense(stream)) {
      for (const row of tornOthers(reader, payloads, rows, torn)) damaged.add(row)
      continue
    }
    const hit: number[] = []
    for (let i = 0; i < rows.length; i++) {
      if (i % OBJECTS_A_TURN === 0) {
        monitor.progress('diagnose', i / rows.length)
        await monitor.pause()
      }
      if (isHit(reader, payloads, rows[i], torn)) hit.push(rows[i])
    }
    if (hit.length <= rows.length * (1 - LEAST_SHARE)) for (const row of hit) damaged.add(row)
  }
  return damaged
}

function hasPart(payloads: PayloadTable, first: number, some: ReadonlySet<number>): boolean {
  for (const row of partsOf(payloads, first)) if (some.has(row)) return true
  return false
}

function isHit(
  reader: ByteReader,
  payloads: PayloadTable,
  first: number,
  torn: ReadonlySet<number>,
): boolean {
  for (const row of partsOf(payloads, first))
    if (torn.has(row) || holdsZeros(reader, payloads, row)) return true
  return false
}

/** Of a stream that may well have zeros, those objects that end in more of them than any that no hole is behind. */
function tornOthers(
  reader: ByteReader,
  payloads: PayloadTable,
  rows: Uint32Array,
  torn: ReadonlySet<number>,
): readonly number[] {
  const candidates = rows.filter((row) => torn.has(row))
  if (candidates.length === 0) return []
  let usual = 0
  const step = Math.ceil(rows.length / MOST_COMPARED)
  for (let i = 0; i < rows.length; i += step)
    if (!torn.has(rows[i])) usual = Math.max(usual, zerosAtEnd(reader, payloads, rows[i]))
  return [...candidates].filter((row) => zerosAtEnd(reader, payloads, row) > usual)
}

/** Payloads that end in zeros which go on behind them, where a hole lets no one see what stood there. */
function tornRows(
  reader: ByteReader,
  packets: PacketTable,
  payloads: PayloadTable,
  holes: readonly Hole[],
): ReadonlySet<number> {
  const torn = new Set<number>()
  for (const { row: first, packet, offset, length } of holes) {
    const until = packet < packets.length ? packets.first[packet] : payloads.length
    // the one in front of the hole may lie right at it
    for (let row = Math.max(0, first - 1); row < until; row++) {
      const end = payloads.offset[row] + payloads.header[row] + payloads.size[row]
      if (end >= offset && end < offset + length && goesOnInZeros(reader, payloads, row)) torn.add(row)
    }
  }
  return torn
}

/**
 * Last payloads of packets behind which bytes are too many or missing, and whose padding is no zeros as that of the others: it is
 * elsewhere, and so is the end of the payload.
 */
function displacedRows(
  reader: ByteReader,
  packets: PacketTable,
  payloads: PayloadTable,
  holes: readonly Hole[],
): ReadonlySet<number> {
  const displaced = holes
    .filter(
      ({ row, offset, inGrid }) =>
        !inGrid && row > 0 && paddingIn(reader, payloads, row - 1, offset) === 'other',
    )
    .map(({ row }) => row - 1)
  // padding that is never zeros tells nothing
  return new Set(displaced.length > 0 && hasZeroPadding(reader, packets, payloads) ? displaced : [])
}

/** What stands between a payload's end and that of its packet. */
function paddingIn(
  reader: ByteReader,
  payloads: PayloadTable,
  row: number,
  packetEnd: number,
): 'none' | 'zeros' | 'other' {
  const end = payloads.offset[row] + payloads.header[row] + payloads.size[row]
  if (end >= packetEnd) return 'none'
  return isZero(reader, end, packetEnd) ? 'zeros' : 'other'
}

/** Whether packets are padded with zeros, as far as some of them tell. */
function hasZeroPadding(reader: ByteReader, packets: PacketTable, payloads: PayloadTable): boolean {
  let zeros = 0
  let other = 0
  const step = Math.ceil(packets.length / MOST_COMPARED)
  for (let packet = 0; packet + 1 < packets.length; packet += step) {
    const row = packets.first[packet + 1] - 1
    if (row < packets.first[packet]) continue
    const padding = paddingIn(reader, payloads, row, packets.offset[packet] + packets.size[packet])
    if (padding === 'zeros') zeros++
    else if (padding === 'other') other++
  }
  return zeros > other
}
