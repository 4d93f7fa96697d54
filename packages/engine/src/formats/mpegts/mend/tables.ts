import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { associationBody, type ProgramMap, programMapBody } from '../../../syntax/psi/program-map.ts'
import { PROGRAM_ASSOCIATION, PROGRAM_MAP, writeSection } from '../../../syntax/psi/section.ts'
import type { Demux } from '../read/demux.ts'
import { type Layout, NULL_PID } from '../read/packet.ts'
import { framed } from '../write/packets.ts'
import { sectionPackets } from '../write/section-packets.ts'

/** Where nothing tells: the PID that most writers use. */
const USUAL_MAP_PID = 0x1000
/** The lowest PID of a program map: those below are of other tables (ISO/IEC 13818-1:2022 table 2-3, ETSI EN 300 468 table 1). */
const LEAST_MAP_PID = 0x20
/** A section and where it goes. */
export interface TableSection {
  readonly pid: number
  readonly bytes: Uint8Array
}

/**
 * All tables as they belong in front: those of the file, and of `made` the maps that it lacks. Undefined where no PID is free for
 * them.
 */
export function tableSections(demux: Demux, made: readonly ProgramMap[]): TableSection[] | undefined {
  const { tables } = demux
  const kept = [...tables.copies].map(([key, { bytes }]) => ({ pid: Number.parseInt(key, 10), bytes }))
  const association = kept.filter(({ pid }) => pid === 0)
  const sections = kept.filter(({ pid }) => pid !== 0)
  const { mapless } = tables
  const numbers = new Set(tables.all.map(({ program }) => program))
  const taken = new Set<number>()
  for (const map of made) {
    // an association that is there says which programs there are
    let program = mapless.includes(map.program) ? map.program : (mapless[0] ?? map.program)
    while (numbers.has(program)) program++
    if (mapless.includes(program)) mapless.splice(mapless.indexOf(program), 1)
    numbers.add(program)
    const pid = tables.programs.get(program) ?? freePid(demux, taken)
    if (pid === undefined) return undefined
    taken.add(pid)
    const body = programMapBody(map)
    sections.push({
      pid,
      bytes: writeSection({ tableId: PROGRAM_MAP, extension: program, version: 0, body }),
    })
  }
  if (association.length > 0) return [...association, ...sections]
  const programs = new Map(sections.map(({ pid, bytes }) => [(bytes[3] << 8) | bytes[4], pid]))
  const body = associationBody(programs)
  const bytes = writeSection({ tableId: PROGRAM_ASSOCIATION, extension: 1, version: 0, body })
  return [{ pid: 0, bytes }, ...sections]
}

/** A PID that no packet has, nor is taken: the usual one, else the next behind it, else the lowest. */
function freePid({ streams }: Demux, taken: ReadonlySet<number>): number | undefined {
  const isFree = (pid: number): boolean => !streams[pid] && !taken.has(pid)
  for (let pid = USUAL_MAP_PID; pid < NULL_PID; pid++) if (isFree(pid)) return pid
  for (let pid = LEAST_MAP_PID; pid < USUAL_MAP_PID; pid++) if (isFree(pid)) return pid
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
