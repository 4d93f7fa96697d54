import { type ProgramMap, parseAssociation, parseProgramMap } from '../../../syntax/psi/program-map.ts'
import { PROGRAM_ASSOCIATION, PROGRAM_MAP, type Section, writeSection } from '../../../syntax/psi/section.ts'
import { SectionReader } from './section-reader.ts'

/** Places of hit sections that are remembered; further ones stay hit. */
const MOST_PLACES = 100_000

/** One table as it was first read, and where copies of it were hit. */
export interface TableCopy {
  readonly bytes: Uint8Array
  readonly hit: number[]
}

/** The program association and the program maps. */
export class Tables {
  /** Programs and the PIDs of their maps. */
  readonly programs = new Map<number, number>()
  /** Maps by their PID: several programs may share one. */
  readonly maps = new Map<number, Map<number, ProgramMap>>()
  readonly copies = new Map<string, TableCopy>()
  /** Offset of the first whole association and the first map; -1 before. */
  firstAssociation = -1
  firstMap = -1
  readonly hit: { readonly pid: number; readonly offset: number }[] = []
  readonly #readers = new Map<number, SectionReader>()
  /** Where the section in progress begins, by PID. */
  readonly #starts = new Map<number, number>()

  /** PIDs of the streams of each program's map. */
  readonly #listed = new Map<string, Set<number>>()

  /** Whether the payloads of a PID are read as tables. */
  reads(pid: number): boolean {
    return pid === 0 || this.#readers.has(pid)
  }

  /** Takes a payload of a PID that is no PES packet's. Says whether its checksum fails. */
  take(pid: number, payload: Uint8Array, start: boolean, offset: number): boolean {
    if (start) this.#starts.set(pid, offset)
    const taken = this.#reader(pid).take(payload, start)
    if (taken?.section) this.#learn(pid, taken.section, this.#starts.get(pid) ?? offset)
    if (taken?.failed && this.hit.length < MOST_PLACES) this.hit.push({ pid, offset })
    return taken?.failed === true
  }

  /** Looks whether a payload of an unknown PID begins with a program map. */
  tryMap(pid: number, payload: Uint8Array, offset: number): boolean {
    const reader = new SectionReader()
    const section = reader.take(payload, true)?.section
    if (section?.tableId !== PROGRAM_MAP || !parseProgramMap(section)) return false
    this.#readers.set(pid, reader)
    this.#learn(pid, section, offset)
    return true
  }

  /** Packets of a PID are missing. */
  lose(pid: number): void {
    this.#readers.get(pid)?.reset()
  }

  /** Every program's map, in the order of the association, then those it does not list. */
  get all(): ProgramMap[] {
    return [...this.maps.values()].flatMap((programs) => [...programs.values()])
  }

  /** Programs that the association names and that have no map. */
  get mapless(): number[] {
    const known = new Set(this.all.map(({ program }) => program))
    return [...this.programs.keys()].filter((program) => !known.has(program))
  }

  #reader(pid: number): SectionReader {
    const known = this.#readers.get(pid)
    if (known) return known
    const made = new SectionReader()
    this.#readers.set(pid, made)
    return made
  }

  #learn(pid: number, section: Section, offset: number): void {
    if (pid === 0 && section.tableId === PROGRAM_ASSOCIATION) {
      if (this.firstAssociation < 0) this.firstAssociation = offset
      for (const [program, map] of parseAssociation(section)) {
        this.programs.set(program, map)
        this.#reader(map)
      }
      this.#keep(pid, section)
      return
    }
    if (section.tableId !== PROGRAM_MAP) return
    const map = parseProgramMap(section)
    if (!map) return
    if (this.firstMap < 0) this.firstMap = offset
    const programs = this.maps.get(pid) ?? new Map<number, ProgramMap>()
    programs.set(map.program, this.#merged(pid, programs.get(map.program), map))
    this.maps.set(pid, programs)
    this.#keep(pid, section)
  }

  /** A map with what a later version adds to an earlier one. */
  #merged(pid: number, before: ProgramMap | undefined, now: ProgramMap): ProgramMap {
    const key = `${pid}/${now.program}`
    const listed = this.#listed.get(key) ?? new Set()
    this.#listed.set(key, listed)
    const added = now.streams.filter((stream) => !listed.has(stream.pid))
    for (const stream of added) listed.add(stream.pid)
    if (!before) return now
    return added.length === 0 ? before : { ...before, streams: [...before.streams, ...added] }
  }

  #keep(pid: number, section: Section): void {
    const key = `${pid}/${section.tableId}/${section.extension}`
    if (!this.copies.has(key)) this.copies.set(key, { bytes: writeSection(section), hit: [] })
  }
}
