import { joined } from '../../../src/bytes/joined.ts'
import { CLOCK_AT, writeClock } from '../../../src/formats/mpegts/read/clock.ts'
import {
  HEADER_BYTES,
  LAYOUTS,
  type Layout,
  PACKET_BYTES,
  PAYLOAD_BYTES,
} from '../../../src/formats/mpegts/read/packet.ts'
import { framed, packetOf } from '../../../src/formats/mpegts/write/packets.ts'
import { sectionPackets } from '../../../src/formats/mpegts/write/section-packets.ts'
import { packetHeader } from '../../../src/syntax/pes/packet-header.ts'
import { associationBody, programMapBody } from '../../../src/syntax/psi/program-map.ts'
import { PROGRAM_ASSOCIATION, PROGRAM_MAP, writeSection } from '../../../src/syntax/psi/section.ts'

/** A stream of a transport stream that a test makes; each payload is that of a PES packet. */
export interface MadeStream {
  readonly pid: number
  readonly type: number
  readonly id: number
  readonly payloads: readonly Uint8Array[]
  /** Ticks of 90 kHz from one PES packet to the next, and of the first. */
  readonly ticks: number
  readonly from?: number
  readonly descriptors?: Uint8Array
}

export interface MadeProgram {
  readonly number: number
  readonly mapPid: number
  readonly streams: readonly MadeStream[]
}

const NOTHING = new Uint8Array(0)

/** Transport packets of a section of tables, counters from 0 on. */
export function mapPackets({ number, mapPid, streams }: MadeProgram): Uint8Array[] {
  const body = programMapBody({
    program: number,
    pcrPid: streams[0].pid,
    descriptors: NOTHING,
    streams: streams.map(({ pid, type, descriptors }) => ({
      pid,
      streamType: type,
      descriptors: descriptors ?? NOTHING,
    })),
  })
  const section = writeSection({ tableId: PROGRAM_MAP, extension: number, version: 0, body })
  return sectionPackets(mapPid, section, 0)
}

export function associationPackets(programs: readonly MadeProgram[]): Uint8Array[] {
  const body = associationBody(new Map(programs.map(({ number, mapPid }) => [number, mapPid])))
  const section = writeSection({ tableId: PROGRAM_ASSOCIATION, extension: 1, version: 0, body })
  return sectionPackets(0, section, 0)
}

/** Transport packets of a PES packet. */
function packetsOfUnit(
  { pid, id }: MadeStream,
  payload: Uint8Array,
  time: number,
  counter: number,
): Uint8Array[] {
  const bytes = joined([packetHeader(id, payload.length, time, time), payload])
  return Array.from({ length: Math.ceil(bytes.length / PAYLOAD_BYTES) }, (_, i) => {
    const part = bytes.subarray(i * PAYLOAD_BYTES, (i + 1) * PAYLOAD_BYTES)
    return packetOf(pid, i === 0, counter + i, part)
  })
}

/** A packet that carries nothing but a clock reference. */
function clockPacket(pid: number, counter: number, time: number): Uint8Array {
  const packet = new Uint8Array(PACKET_BYTES).fill(0xff)
  packet.set([0x47, pid >> 8, pid & 0xff, 0x20 | (counter & 15), PACKET_BYTES - HEADER_BYTES - 1, 0x10])
  packet.set(writeClock(time, 0), CLOCK_AT)
  return packet
}

/** Transport packets of programs without their tables, PES packets in the order of their times. */
export function mediaPackets(programs: readonly MadeProgram[]): Uint8Array[] {
  const counters = new Map<number, number>()
  const units = programs.flatMap(({ streams }) =>
    streams.flatMap((stream) =>
      stream.payloads.map((payload, i) => ({
        stream,
        payload,
        time: (stream.from ?? 0) + i * stream.ticks,
        isClock: stream === streams[0],
      })),
    ),
  )
  units.sort((a, b) => a.time - b.time)
  return units.flatMap(({ stream, payload, time, isClock }) => {
    const counter = counters.get(stream.pid) ?? 0
    const packets = packetsOfUnit(stream, payload, time, counter)
    counters.set(stream.pid, counter + packets.length)
    return isClock ? [clockPacket(stream.pid, counter - 1, time), ...packets] : packets
  })
}

/** Packets one behind the other, each with the bytes in front or behind that the layout has. */
export function fileOf(packets: readonly Uint8Array[], layout: Layout = LAYOUTS[0]): Uint8Array {
  return joined(
    packets.map((packet, i) => {
      const time = 1000 * (i + 1)
      return framed(packet, Uint8Array.of(0, time >> 16, (time >> 8) & 255, time & 255), layout)
    }),
  )
}
