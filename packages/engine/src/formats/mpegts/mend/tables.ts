import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import {
  associationBody,
  type ElementaryStream,
  type ProgramMap,
  programMapBody,
} from '../../../syntax/psi/program-map.ts'
import { PROGRAM_ASSOCIATION, PROGRAM_MAP, writeSection } from '../../../syntax/psi/section.ts'
import type { Demux } from '../read/demux.ts'
import { type Layout, NULL_PID } from '../read/packet.ts'
import { sniffType } from '../read/sniff.ts'
import type { PidStream } from '../read/stream.ts'
import { framed } from '../write/packets.ts'
import { sectionPackets } from '../write/section-packets.ts'

/** Where nothing tells: the PID and program that most writers use. */
const USUAL_MAP_PID = 0x1000
/** The lowest PID of a program map: those below are of other tables (ISO/IEC 13818-1:2022 table 2-3, ETSI EN 300 468 table 1). */
const LEAST_MAP_PID = 0x20
const USUAL_PROGRAM = 1
/** The registration of Blu-ray discs and AVCHD, which their private stream types need. */
const HDMV = Uint8Array.of(5, 4, 0x48, 0x44, 0x4d, 0x56)

/** A section and where it goes. */
export interface TableSection {
  readonly pid: number
  readonly bytes: Uint8Array
}

/**
 * A program map made from what the streams themselves say, one of which may carry nothing but the clock; undefined where none
 * does.
 */
export function deducedMap(
  reader: ByteReader,
  layout: Layout,
  streams: readonly PidStream[],
): ProgramMap | undefined {
  const found: ElementaryStream[] = streams.flatMap((stream) => {
    const streamType = sniffType(reader, layout, stream)
    return streamType === 0 ? [] : [{ streamType, pid: stream.pid, descriptors: new Uint8Array(0) }]
  })
  if (found.length === 0) return undefined
  const clocked = streams.find(({ clocks }) => clocks)
  return {
    program: USUAL_PROGRAM,
    pcrPid: clocked?.pid ?? found[0].pid,
    descriptors: layout.lead ? HDMV : new Uint8Array(0),
    streams: found,
  }
}

/**
 * The map of a sample whose streams are those of the file: PID by PID and type by type as far as they tell their types, by their
 * PIDs alone where none does; undefined where no map is.
 */
export function sampleMap(
  maps: readonly ProgramMap[],
  deduced: ProgramMap | undefined,
  carrying: readonly PidStream[],
): ProgramMap | undefined {
  const types = new Map(deduced?.streams.map(({ pid, streamType }) => [pid, streamType]))
  const pids = carrying.filter(({ table }) => (table?.length ?? 0) > 0).map(({ pid }) => pid)
  const clocked = carrying.find(({ clocks }) => clocks)?.pid
  return maps.find(({ pcrPid, streams }) => {
    if (types.size === 0) {
      const isClock = clocked === undefined || clocked === pcrPid
      return pids.length > 0 && isClock && pids.every((own) => streams.some(({ pid }) => pid === own))
    }
    const agreeing = streams.filter(({ pid, streamType }) => types.get(pid) === streamType)
    return pcrPid === deduced?.pcrPid && agreeing.length === types.size
  })
}

/** All tables as they belong in front; those that are missing are made from `maps`. Undefined where no PID is free for them. */
export function tableSections(demux: Demux, maps: readonly ProgramMap[]): TableSection[] | undefined {
  const { tables } = demux
  const kept = [...tables.copies].map(([key, { bytes }]) => ({ pid: Number.parseInt(key, 10), bytes }))
  const association = kept.filter(({ pid }) => pid === 0)
  let sections = kept.filter(({ pid }) => pid !== 0)
  if (sections.length === 0) {
    const pid = [...tables.programs.values()][0] ?? freePid(demux)
    if (pid === undefined) return undefined
    const program = [...tables.programs.keys()][0]
    sections = maps.map((map) => ({
      pid,
      bytes: writeSection({
        tableId: PROGRAM_MAP,
        extension: program ?? map.program,
        version: 0,
        body: programMapBody(map),
      }),
    }))
  }
  if (association.length > 0) return [...association, ...sections]
  const programs = new Map(sections.map(({ pid, bytes }) => [(bytes[3] << 8) | bytes[4], pid]))
  const bytes = writeSection({
    tableId: PROGRAM_ASSOCIATION,
    extension: 1,
    version: 0,
    body: associationBody(programs),
  })
  return [{ pid: 0, bytes }, ...sections]
}

/** A PID that no packet has: the usual one, else the next behind it, else the lowest. */
function freePid({ streams }: Demux): number | undefined {
  for (let pid = USUAL_MAP_PID; pid < NULL_PID; pid++) if (!streams[pid]) return pid
  for (let pid = LEAST_MAP_PID; pid < USUAL_MAP_PID; pid++) if (!streams[pid]) return pid
  return undefined
}

/** Puts tables in front of what stands at `offset`. */
export function insertTables(
  edits: Edits,
  reader: ByteReader,
  demux: Demux,
  layout: Layout,
  sections: readonly TableSection[],
  offset: number,
): void {
  const arrival = reader.bytes(offset, layout.lead).slice()
  const packets = sections.map(({ pid, bytes }) => ({ pid, list: sectionPackets(pid, bytes, 0) }))
  const left = new Map<number, number>()
  for (const { pid, list } of packets) left.set(pid, (left.get(pid) ?? 0) + list.length)
  for (const { pid, list } of packets) {
    for (const packet of list) {
      const before = left.get(pid) ?? 0
      left.set(pid, before - 1)
      const first = demux.streams[pid]?.first ?? -1
      // counters lead up to that of the first packet that is there
      packet[3] = (packet[3] & 0xf0) | ((Math.max(first, 0) - before) & 15)
      edits.insert(offset, framed(packet, arrival, layout))
    }
  }
}

/** Puts whole sections in the place of those that were hit, where a PID carries one section in one packet. */
export function mendSections(
  edits: Edits,
  reader: ByteReader,
  demux: Demux,
  layout: Layout,
  sections: readonly TableSection[],
): void {
  for (const { pid, offset } of demux.tables.hit) {
    const own = sections.filter((section) => section.pid === pid)
    if (own.length !== 1) continue
    const header = reader.u8(offset + layout.lead + 3)
    const packets = sectionPackets(pid, own[0].bytes, header & 15)
    if (packets.length === 1) edits.replace(offset + layout.lead, packets[0].length, packets[0])
  }
}
